"""Who may do what: passwords, sessions, invitations."""
