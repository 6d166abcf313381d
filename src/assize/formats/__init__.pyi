from assize.formats.format import Format as Format
from assize.formats.items import Items as Items
from assize.formats.items import ItemsLike as ItemsLike
from assize.formats.items import read as read
from assize.formats.judgment_files import JudgmentsLike as JudgmentsLike
from assize.formats.judgment_files import read_any as read_any
from assize.formats.judgment_files import read_judgments as read_judgments
from assize.formats.labels.labelling import GoldLabels as GoldLabels
from assize.formats.questions import questions_path as questions_path
from assize.formats.questions import read_questions as read_questions
from assize.formats.recipes import StudyPairs as StudyPairs
from assize.formats.records import Record as Record
from assize.formats.records import parse as parse
from assize.formats.records import to_json as to_json
from assize.formats.rejects import Reject as Reject
from assize.formats.sampling import ItemSample as ItemSample
from assize.formats.table import FORMATS as FORMATS
from assize.formats.writing import open_writer as open_writer
from assize.formats.writing import write as write
from assize.formats.writing import write_questions as write_questions

__all__: list[str]
