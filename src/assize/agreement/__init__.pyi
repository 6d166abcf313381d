from assize.agreement.measure import measure_agreement as measure_agreement
from assize.agreement.options import AgreeOptions as AgreeOptions
from assize.agreement.options import Audit as Audit
from assize.agreement.options import CloserToGold as CloserToGold
from assize.agreement.rater_report import RaterReport as RaterReport
from assize.agreement.rater_report import report_raters as report_raters
from assize.agreement.result import Agreement as Agreement

__all__: list[str]
