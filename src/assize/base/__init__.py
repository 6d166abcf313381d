"""What everything else is said in: records, errors, signatures, files, secrets, trust."""
