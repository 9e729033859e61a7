# The gateway and its worker: one image, told apart by ROLE.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No install script runs: the only one that matters fetches a Node, and the image has one.
# Pact's native parts (some 50 MB) are for the command line alone.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force \
  && rm -rf node_modules/@pact-foundation node_modules/@pactflow

FROM node:24-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY clients/generated/manage.ts ./clients/generated/
COPY gateway ./gateway
RUN node gateway/console/build.ts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# For the embedded tier; the scale tier keeps nothing here.
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY gateway ./gateway
COPY --from=console /app/gateway/console/built ./gateway/console/built
# The gateway serves the gap register and the guides; pacts and their verification stay out.
COPY contracts/register ./contracts/register
COPY contracts/documents/services.ts ./contracts/documents/
COPY docs/*.md ./docs/
COPY docs/console ./docs/console
COPY fixtures ./fixtures
USER node
EXPOSE 8080
# Whether the process lives, not whether PostgreSQL and Redis do: no restart mends those. A load balancer asks /readyz.
# With TLS_CERT the process serves https: then give the container a check of its own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=70s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "gateway/server.ts"]
