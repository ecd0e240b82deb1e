# Not run by the tests of this project: they have no Docker.
# docker build -t calendar . && docker run --rm -p 127.0.0.1:8787:8787 calendar
FROM node:24-alpine AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-alpine
COPY --from=build /src/dist/calendar.js /usr/local/bin/calendar
COPY --from=build /src/THIRD-PARTY-NOTICES /src/LICENSE /usr/share/doc/calendar/
# A volume that is mounted here takes over whose it is: calendar serve --host 0.0.0.0 keeps /data/calendar.db.
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
EXPOSE 8787
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s CMD ["calendar", "wait", "http://127.0.0.1:8787", "--timeout", "3"]
ENTRYPOINT ["calendar"]
CMD ["serve", "--memory", "--seed", "demo", "--host", "0.0.0.0"]
