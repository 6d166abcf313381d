"""Learning criteria from conversations that people labelled good or bad.

conversations ──► extract ──► patterns ──► summarise ──► criteria ──► deduplicate ──► the pool
                (one by one)             (batch by batch)           (look-alikes)

Source: RUBICON, section 3.2; with the method `spur`, its baseline (Lin et al., arXiv 2403.12388).
"""
