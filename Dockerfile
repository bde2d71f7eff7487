# Two stages: the first makes the wheel and an environment with it, the second has nothing but that environment.
FROM python:3.12-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python3 -m venv /opt/kontrolka
WORKDIR /src
COPY requirements/base.txt requirements/
RUN /opt/kontrolka/bin/pip install --require-hashes -r requirements/base.txt
COPY . .
RUN /opt/kontrolka/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheel . \
 && /opt/kontrolka/bin/pip install --no-deps /wheel/*.whl

FROM python:3.12-slim
RUN useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin kontrolka \
 && install --directory --mode 0700 --owner kontrolka --group kontrolka /data
COPY --from=build /opt/kontrolka /opt/kontrolka
ENV PATH=/opt/kontrolka/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    KONTROLKA_DATA=/data/kontrolka.db
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
# The program beats every ten seconds; a heartbeat older than a minute is no sign of life.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=2 CMD ["kontrolka", "check", "--alive"]
ENTRYPOINT ["kontrolka"]
CMD ["run"]
