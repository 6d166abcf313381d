"""How raters are doing: progress, agreement, quality."""
