# docker build --build-arg VERSION=… --build-arg REVISION="$(git rev-parse HEAD)" --tag graticule .
# Guide: docs/guides/container.md

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY LICENSE package.json package-lock.json ./
COPY console ./console
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
ARG REVISION=unknown
RUN BUILD_REVISION="$REVISION" npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Graticule" \
      org.opencontainers.image.description="A geospatial server configured entirely over REST" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
COPY --from=build /build/LICENSE /build/package.json /app/
COPY --from=build /build/node_modules /app/node_modules
COPY --from=build /build/dist /app/dist
# Docker copies the owner of this directory to a new volume.
RUN install --directory --owner=node --group=node --mode=0700 /data \
    && ln --symbolic /app/dist/start.cjs /usr/local/bin/graticule
# The root file system can be read-only; the compile cache is then a mounted /tmp, or unused.
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    GRATICULE_HOST=0.0.0.0 \
    GRATICULE_PORT=8080 \
    GRATICULE_DATA_DIR=/data
# The user `node` of the image, as a number, so that Kubernetes can verify that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["graticule", "health"]
ENTRYPOINT ["graticule"]
CMD ["serve"]
