# An image without a shell and without a package manager, for gateways and workers: ROLE says which.

# What a program needs of Debian: the libraries of Node, a user, and how names are looked up.
FROM node:24-slim AS system
RUN mkdir -m 1777 -p /system/tmp && mkdir -p /system/etc /system/data && chown node:node /system/data \
  && cp --dereference --parents $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /system \
  && grep '^node:' /etc/passwd > /system/etc/passwd && grep '^node:' /etc/group > /system/etc/group \
  && echo 'hosts: files dns' > /system/etc/nsswitch.conf

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: ours build what the other stage builds, and need the sources. Only the command line needs Pact's packages.
# Nothing loads source maps, types and sources in TypeScript.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm uninstall --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
    @pact-foundation/pact @pact-foundation/pact-core @pactflow/openapi-pact-comparator \
  && find node_modules -type f \( -name '*.map' -o -name '*.[cm]ts' -o -name '*.ts' \) -delete

FROM scratch AS sources
WORKDIR /app
COPY package.json ./
COPY gateway ./gateway
# The gateway serves the gap register and the guides. Pacts and their verification are not in the image.
COPY spec/json.ts ./spec/
COPY spec/gaps ./spec/gaps
COPY spec/documents/services.ts spec/documents/plans.ts spec/documents/documented.ts spec/documents/documented.json ./spec/documents/
# Why a call was refused, and a request that works, for /profile/v1/calls/{id}.
COPY spec/openapi/*.ts spec/openapi/pos.json spec/openapi/cohesion.json ./spec/openapi/
COPY docs ./docs
# The signature doctor, for /deliveries/{id}/diagnose.
COPY receivers/verify-signature.ts ./receivers/
COPY receivers/doctor ./receivers/doctor
# The samples, for /profile/v1/receivers/{language}.
COPY receivers/samples ./receivers/samples
COPY fixtures ./fixtures

FROM node:24-slim AS built
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY --from=sources /app ./
COPY contracts/tools/write-openapi.ts ./contracts/tools/
RUN node gateway/start/prepare.ts && node contracts/tools/write-openapi.ts && node gateway/console/build.ts

FROM scratch
COPY --from=system /system /
COPY --from=system /usr/local/bin/node /usr/local/bin/node
# /data has the data of the embedded tier. The scale tier stores nothing there.
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=sources /app ./
COPY --from=built /app/gateway/console/built ./gateway/console/built
COPY --from=built /app/gateway/start/prepared ./gateway/start/prepared
USER node
EXPOSE 8080
# /healthz, not /readyz: a restart does not repair PostgreSQL or Redis. Load balancers ask /readyz.
# With TLS_CERT the process serves https: then set a health check of your own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=70s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "gateway/server.ts"]
