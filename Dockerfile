# Scores conversations and writes pages offline: `docker run --rm -v "$PWD":/work assize score chats.jsonl`.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements/demo.txt requirements/demo.txt
RUN python -m venv /opt/assize \
    && /opt/assize/bin/pip install --no-cache-dir --no-deps --require-hashes -r requirements/demo.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/assize/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
COPY --from=build /opt/assize /opt/assize
RUN useradd --create-home assize
USER assize
WORKDIR /work
ENTRYPOINT ["/opt/assize/bin/assize"]
CMD ["--help"]
