# One image for gateways and workers: ROLE says which.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: ours build what the other stage builds, and need the sources.
# Pact's native parts (some 50 MB) are needed by the command line only.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force \
  && rm -rf node_modules/@pact-foundation node_modules/@pactflow

FROM node:24-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY clients/generated/filters.ts clients/generated/manage.ts clients/generated/profile.ts ./clients/generated/
COPY contracts/documents/services.ts contracts/documents/plans.ts ./contracts/documents/
COPY gateway ./gateway
RUN node gateway/console/build.ts && node gateway/start/prepare.ts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Data of the embedded tier. The scale tier stores nothing here.
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY gateway ./gateway
COPY --from=console /app/gateway/console/built ./gateway/console/built
COPY --from=console /app/gateway/start/prepared ./gateway/start/prepared
# The gateway serves the gap register and the guides. Pacts and their verification are not in the image.
COPY contracts/json.ts ./contracts/
COPY contracts/gaps ./contracts/gaps
COPY contracts/documents/services.ts contracts/documents/plans.ts contracts/documents/documented.ts contracts/documents/documented.json ./contracts/documents/
# Why a call was refused, and a request that works, for /profile/v1/calls/{id}.
COPY contracts/openapi/*.ts contracts/openapi/pos.json contracts/openapi/cohesion.json ./contracts/openapi/
COPY docs/*.md ./docs/
# The signature doctor, for /deliveries/{id}/diagnose.
COPY receivers/verify-signature.ts ./receivers/
COPY receivers/doctor ./receivers/doctor
# The samples, for /profile/v1/receivers/{language}.
COPY receivers/samples ./receivers/samples
COPY docs/console ./docs/console
COPY fixtures ./fixtures
USER node
EXPOSE 8080
# /healthz, not /readyz: a restart does not repair PostgreSQL or Redis. Load balancers ask /readyz.
# With TLS_CERT the process serves https: then set a health check of your own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=70s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "gateway/server.ts"]
