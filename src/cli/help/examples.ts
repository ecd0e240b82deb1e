import type { Command, Option } from 'commander';

/** The topics of `calendar help`. */
export const topicNames = {
  dates: 'How dates, times and durations are read',
  formats: 'Output formats, fields and templates',
  'exit-codes': 'Exit codes and errors',
  environment: 'Environment variables',
  agents: 'The command line for programs and agents',
};
export type TopicName = keyof typeof topicNames;

/** The examples in a command's help by command path; those of the program by an empty path. */
export const examples: Record<string, readonly string[]> = {
  '': [
    'calendar serve --seed demo',
    'calendar events list --from now',
    "calendar events create --title Concert --start-date 'friday 8pm' --end-date 'friday 11pm'",
    'calendar events list --search jazz --json=id,title,venue.city',
    'calendar exec --seed demo -- npm test',
  ],
  'events list': [
    'calendar events list --from now',
    'calendar events list --from today --to sunday --venue city-hall',
    'calendar events list --past --limit 5',
    'calendar events list --search jazz --categories concerts --json=id,title,start_date',
    "calendar events list --start-date 'first monday of january 2027' --end-date '+2 months'",
    'calendar events list --sort -cost,title --format csv --fields title,cost',
    'calendar events list --all --format csv > events.csv',
    'calendar events list --format ids | calendar events update - --featured',
  ],
  'events get': [
    'calendar events get 12',
    'calendar events get summer-concert --json',
    "calendar events get 'Summer Concert' --web",
    "calendar events get 12 13 --template '{{title}}\\t{{start_date}}'",
  ],
  'events create': [
    "calendar events create --title Concert --start-date 'friday 8pm' --end-date 11pm --venue 'City Hall'",
    "calendar events create --title Talk --start-date 'monday 18:00' --duration 1h30m --set venue.venue='New Hall'",
    'calendar events create --title Fair --start-date 2027-05-01 --end-date 2027-05-03 --all-day --categories markets',
    'calendar events create --data @event.json --quiet',
  ],
  'events update': [
    "calendar events update 12 --start-date 'friday 9pm'",
    "calendar events update 12 13 --start-date '+1 hour' --dry-run",
    'calendar events update summer-concert --add-tags outdoor --remove-tags indoor',
    'calendar events update summer-concert --cost 10 --no-featured',
    "calendar events update 12 --venue ''",
  ],
  'events delete': [
    'calendar events delete 12 --dry-run',
    'calendar events list --search test --format ids | calendar events delete - --yes',
  ],
  'events shift': [
    "calendar events shift --by 1h --venue 'Harbour Hall' --from today",
    'calendar events shift --by=-7d --search jazz --dry-run',
  ],
  'events restore': ['calendar events restore 12', 'calendar events restore summer-concert --status draft'],
  'events edit': ['calendar events edit 12', "EDITOR='code --wait' calendar events edit summer-concert"],
  'events clone': ["calendar events clone 12 --start-date 'friday 8pm'", "calendar events clone 'Weekly market' --start-date '+1 week'"],
  'venues list': ['calendar venues list --search hall', 'calendar venues list --only-with-upcoming --format csv'],
  'venues get': ['calendar venues get 3', 'calendar venues get city-hall --json'],
  'venues create': ["calendar venues create --venue 'City Hall' --address '1 Main Street' --city Springfield"],
  'venues update': ["calendar venues update city-hall --phone '+1 555 0100'"],
  'venues delete': ['calendar venues delete city-hall --dry-run'],
  'organizers list': ['calendar organizers list --event 12'],
  'organizers get': ['calendar organizers get 4 --json'],
  'organizers create': ["calendar organizers create --organizer 'Jazz Club' --email hello@example.org"],
  'organizers update': ['calendar organizers update jazz-club --website https://example.org'],
  'organizers delete': ['calendar organizers delete jazz-club --yes'],
  'categories list': ['calendar categories list --hide-empty', 'calendar categories list --orderby count --order desc'],
  'categories get': ['calendar categories get concerts'],
  'categories create': ['calendar categories create --name Jazz --parent music'],
  'categories update': ["calendar categories update jazz --description 'Old and new'"],
  'categories delete': ['calendar categories delete jazz --dry-run'],
  'tags list': ['calendar tags list --all --format ids'],
  'tags get': ['calendar tags get outdoor'],
  'tags create': ['calendar tags create --name Outdoor'],
  'tags update': ['calendar tags update outdoor --name "Open air"'],
  'tags delete': ['calendar tags delete outdoor'],
  agenda: [
    'calendar agenda',
    "calendar agenda 'next week' --tz Europe/Paris",
    'calendar agenda 2027-03-01..2027-03-05 --categories concerts',
    "calendar agenda 'next week' --format markdown > newsletter.md",
  ],
  month: ['calendar month', 'calendar month 2027-03 --week-start sunday', "calendar month 'next month' --tags free"],
  next: ['calendar next', 'calendar next 1 --venue 12'],
  ui: ['calendar ui', 'calendar ui --url https://example.org/wp-json'],
  serve: [
    'calendar serve',
    'calendar serve --memory --seed demo --port 0',
    'calendar serve --memory --seed demo --detach',
    'calendar serve --base-path /wp-json --namespace brand/events/v1 --header-prefix X-Brand',
    'calendar serve --now 2027-01-01T09:00:00Z --timezone Europe/Paris --json',
  ],
  seed: ['calendar seed demo', 'calendar seed fixtures/ours.json --upsert', 'calendar seed --schema > fixture.schema.json'],
  generate: [
    'calendar generate --events 1000',
    'calendar generate --events 50 --rng-seed 7 --from 2027-01-01 --until 2027-12-31 --zones Europe/Paris',
    'calendar reset --generated --yes',
  ],
  export: [
    'calendar export -o backup.ndjson',
    'calendar export --format ics -o events.ics',
    'calendar export --format csv --only venues > venues.csv',
    'calendar export --format sql | sqlite3 events.sqlite',
  ],
  import: [
    'calendar import events.ics --tz Europe/Berlin',
    "calendar import sheet.csv --map 'Name=title,Begin=start_date,End=end_date,Notes=' --encoding windows-1252",
    'calendar import sheet.csv --map-template > map.json',
    'calendar import sheet.csv --map @map.json --dry-run',
    'calendar import backup.ndjson --dry-run --json',
    'calendar import https://example.org/calendar.ics',
  ],
  pull: [
    'calendar pull https://example.org/wp-json --namespace brand/events/v1',
    'calendar pull https://example.org --only events,venues --dry-run',
  ],
  sync: ['calendar sync https://example.org --user editor', 'calendar sync https://example.org --dry-run'],
  push: ['calendar push https://staging.example.org --user editor --dry-run', 'calendar push https://staging.example.org --delete --yes'],
  diff: ['calendar diff https://example.org', 'calendar diff https://example.org --only events --json'],
  shift: ['calendar shift --by 7d', 'calendar shift --by=-1mo --generated --dry-run'],
  reset: ['calendar reset --seed demo --yes', 'calendar reset --generated --yes'],
  exec: [
    'calendar exec --seed demo -- npm test',
    'calendar exec --fail 503:10% --delay 50-200 -- npm test',
    'calendar exec --now 2027-03-01T09:00Z --env API_URL={url} -- npx vitest run',
  ],
  build: ['calendar build site/', 'calendar build site/ --seed demo', 'calendar build public/ --force --seed fixtures/ours.json'],
  'clock set': ['calendar clock set 2027-03-01T09:00:00Z'],
  'clock advance': ['calendar clock advance 1d', 'calendar clock advance PT90M', 'calendar clock advance 2027-03-02T09:00:00Z'],
  'fault add': [
    'calendar fault add 503 --path /events --times 2',
    'calendar fault add reset -X POST --at after',
    "calendar fault add 429 --response-header 'Retry-After: 2' --every 3",
    'calendar fault add hang:10% --url http://127.0.0.1:8787',
    'calendar fault add --delay 100-300 --slow-body 2s',
  ],
  'fault list': ['calendar fault list', 'calendar fault list --json'],
  requests: [
    'calendar requests -n 20',
    'calendar requests --follow --status 4xx,5xx',
    'calendar requests -X POST --path /events --exactly 1',
    "calendar requests --json | jq '.[-1].request.body'",
  ],
  'fault remove': ['calendar fault remove 1 3'],
  stop: ['calendar stop', 'calendar stop :8787', 'calendar stop --db test.db'],
  wait: ['calendar wait http://127.0.0.1:8787 --timeout 10', 'calendar wait --db test.db'],
  'snapshot save': ['calendar snapshot save clean', 'calendar snapshot save clean --replace'],
  'snapshot restore': ['calendar snapshot restore clean'],
  undo: ['calendar undo'],
  validate: ['calendar validate fixtures/ours.json', 'calendar validate events.ics', 'calendar validate test/responses/*.json'],
  request: [
    "calendar request '/events?per_page=5' --fields id,title",
    'calendar request /events start_date==2027-01-01 --paginate',
    'calendar request POST /venues venue=Hall city=Paris show_map:=true -i',
    'calendar request -X DELETE /tags/7 --no-fail',
    'calendar request POST /tags --data @tag.json',
    'calendar request /calendar.ics',
  ],
  check: [
    'calendar check http://127.0.0.1:8787',
    'calendar check http://127.0.0.1:8787 --write',
    'calendar check https://staging.example.org --only events.list --format junit > report.xml',
    'calendar check --list',
  ],
  openapi: [
    'calendar openapi > openapi.json',
    'calendar openapi --server https://staging.example.org/wp-json > openapi.json',
    'calendar openapi --url http://127.0.0.1:8787',
  ],
  'fields list': ['calendar fields list'],
  'fields add': ['calendar fields add events age_group --filter', 'calendar fields add venues rooms --type integer'],
  'fields remove': ['calendar fields remove events age_group'],
  'settings list': ['calendar settings list'],
  'settings get': ['calendar settings get timezone'],
  'settings set': ['calendar settings set timezone Europe/Paris'],
  'users add': ['CALENDAR_PASSWORD=… calendar users add ada --role editor', 'calendar users add ada --role editor < password.txt'],
  'users passwd': ['calendar users passwd ada'],
  'users set-role': ['calendar users set-role ada author'],
  'users remove': ['calendar users remove ada'],
  status: ['calendar status', 'calendar status --profile staging --json'],
  'config list': ['calendar config list --show-origin'],
  'db check': ['calendar db check'],
  'db info': ['calendar db info --json'],
  'db backup': ['calendar db backup before-the-move.db'],
  'db restore': ['calendar db restore before-the-move.db'],
  completion: [
    'eval "$(calendar completion bash)"       # in ~/.bashrc',
    'eval "$(calendar completion zsh)"        # in ~/.zshrc',
    'calendar completion fish | source        # in ~/.config/fish/config.fish',
    'calendar completion powershell | Out-String | Invoke-Expression',
  ],
  help: ['calendar help events list', 'calendar help dates', 'calendar help exit-codes'],
};

const advancedOptions = new WeakSet<Option>();

/** Marks an option that help lists only with `--all`. */
export function advanced(option: Option): Option {
  advancedOptions.add(option);
  return option;
}

/** True if help lists an option without `--all`. */
export const isBasic = (option: Option): boolean => !advancedOptions.has(option);

const notes = new WeakMap<Command, string>();

/** Adds a text below a command's options, in its help and docs/commands.md. */
export function addNote(command: Command, text: string): Command {
  notes.set(command, text);
  return command.addHelpText('after', `\n${text}`);
}

export const noteOf = (command: Command): string => notes.get(command) ?? '';
