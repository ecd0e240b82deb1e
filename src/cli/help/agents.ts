/** The page for coding agents, in Markdown: `calendar help agents`, and docs/agents.md, which `npm run commands` writes. */
export const agentsGuide = `# Agents

\`calendar\` is a local server and command line for an events REST API: \`events\`, \`venues\`, \`organizers\`, \`categories\`, \`tags\`. These are the commands that an agent needs.

## Rules

- Results go to stdout, messages to stderr. Add \`--json\` to get JSON; an error is then one line of JSON on stderr: \`{"code", "message", "data", "hint"}\`.
- No command waits for input when stdin is not a terminal. Deleting several records needs \`--yes\`.
- Use \`--db FILE\` for a file, \`--url URL\` for a server. \`calendar status\` shows which one a command uses.
- Records have an ID, a slug and a name. Commands accept all three.
- Dates can be relative (\`'next friday 19:00'\`). Pass \`--now 2027-03-01T09:00:00Z\` for reproducible results.

## Exit codes

0 success · 1 bug, or differences found by \`diff\` · 2 invalid usage or values · 3 not found · 4 not allowed · 5 server unreachable · 6 conflict · 7 server or file failed · 8 partial failure

## Commands

\`\`\`sh no-run
calendar serve --memory --seed demo --port 0 --json            # start a server; prints {"url", "port", "pid"}
calendar exec --seed demo -- npm test                          # run a command with a temporary server in CALENDAR_URL
calendar wait :8787 --timeout 30s                              # wait for a server
calendar status --json                                         # show which calendar is in use
calendar seed demo --db city.db                                # load minimal, demo, conference, edge-cases or a fixture
calendar events list --from now --all --json                   # list events
calendar events list --search jazz --format ids                # print IDs only
calendar events get 26 --json                                  # show one event
calendar events create --title Concert --start-date '2027-06-05 20:00' --duration 2h --json
calendar events update 26 --cost '€12' --json                  # change fields; the rest stays
calendar events delete 26                                      # move to the trash
calendar events restore 26                                     # restore from the trash
calendar venues create --venue 'Town Hall' --city Rotterdam --json
calendar request POST /tags name=outdoors                      # send a raw API request
calendar import program.csv --dry-run --json                   # check an import: CSV, JSON, NDJSON or iCalendar
calendar export > fixture.json                                 # write a fixture
calendar validate fixture.json --json                          # check a file
calendar reset --to start --url :8787                          # restore a server's initial state
calendar undo                                                  # undo the last bulk change of a file
calendar check :8787 --format json                             # test a server against the specification
\`\`\`

\`calendar help COMMAND\` lists every option. A server describes its API at \`/openapi.json\`.
`;
