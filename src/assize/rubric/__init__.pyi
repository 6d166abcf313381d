from assize.rubric._ask import Adaptive as Adaptive
from assize.rubric._ask import ask as ask
from assize.rubric._ask import show as show
from assize.rubric._conditions import CONDITIONS as CONDITIONS
from assize.rubric._conditions import applies as applies
from assize.rubric._reading import load_rubric as load_rubric
from assize.rubric._reading import parse_rubric as parse_rubric
from assize.rubric._reading import shipped as shipped
from assize.rubric._rubric import Rubric as Rubric
from assize.rubric._rubric import Section as Section
from assize.rubric._rubric import Shown as Shown

__all__: list[str]
