"""The web app: collect conversations, rate them, watch quality."""
