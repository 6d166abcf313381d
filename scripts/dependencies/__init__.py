"""What assize is built from: locked versions with hashes, licences, a bill of materials, an audit.

python -m scripts.dependencies.lock        write requirements/*.txt from pyproject.toml
python -m scripts.dependencies.licences    write docs/licences.md from the packages' own metadata
python -m scripts.dependencies.bill        write a CycloneDX bill of materials into dist/
python -m scripts.dependencies.audit       hold lock, licences, environment and wheel together
"""
