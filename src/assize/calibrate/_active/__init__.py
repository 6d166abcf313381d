"""What to ask next: ratings that teach most, questions that pay, who may be asked."""
