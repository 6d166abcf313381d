from assize.acts._agree import agree as agree
from assize.acts._annotations import Annotation as Annotation
from assize.acts._annotations import acts_in as acts_in
from assize.acts._labels import Act as Act
from assize.acts._maxims import MAXIMS as MAXIMS
from assize.acts._recorded import Reading as Reading
from assize.acts._recorded import read_recorded as read_recorded
from assize.acts._recorded import spoken as spoken
from assize.acts._show import show as show
from assize.acts._show import train as train
from assize.acts._study import ActStudy as ActStudy
from assize.acts._study import study_all as study_all
from assize.acts._tagger import Tagger as Tagger
from assize.acts._tagger import load_tagger as load_tagger
from assize.acts._taxonomy import Taxonomy as Taxonomy
from assize.acts._taxonomy import load_taxonomy as load_taxonomy

__all__: list[str]
