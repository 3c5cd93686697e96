import { componentsAt } from '../../sandbox/service/domain/content/components';
import { completedSnapshots } from '../../sandbox/service/domain/snapshots/rules';
import { NOW, type AgencyFleet } from './fleet';
import type { AgencyRequest, Change } from './requests';
import type { Call, Result } from './script';

/** What people ask of a model that knows only the list of tools and errs as models do: it goes on until it may. */

type Given = Record<string, unknown>;
type Calls = [string, ...Given[]];

interface Asked extends Partial<AgencyRequest> {
	sentence: string;
	before?: Call;
	/** A tool, with what it is given until it does not refuse it. */
	calls?: Calls;
	/** What is wrong with the calls in place of the second one of a change. */
	errors?: Given[];
	isTwice?: true;
	answer?: (result: Result) => string;
}

const to = (tool: string, given: Given = {}): Call => ({ tool, given });
const vary = (tool: string, key: string, values: unknown[], given: Given = {}): Calls => [
	tool,
	...values.map((value) => ({ ...given, [key]: value })),
];

function* until(tool: string, ...givens: Given[]): Generator<Call, Result, Result> {
	let result!: Result;
	for (const given of givens) {
		result = yield to(tool, given);
		if (result.told === undefined) break;
	}
	return result;
}

const done = ({ told, text }: Result) => told ?? `It is done: ${text}`;

function* play({ before, calls, errors, isTwice, answer = done }: Omit<Asked, 'sentence'>) {
	if (before) yield before;
	const [tool, ...givens] = calls!;
	let last = givens.at(-1)!;
	let result = yield* until(tool, ...givens);
	if (errors && result.told === undefined) {
		const { what, code } = result.one();
		last = { ...last, what, code };
		for (const error of errors) yield to(tool, { ...last, ...error });
		result = yield to(tool, last);
	}
	if (isTwice || errors) yield to(tool, last);
	return answer(result);
}

const at = (host: string) => `https://${host}`;
const urls = (rows: Array<{ url: string }>) => rows.map(({ url }) => url);
const idsOf = (fleet: AgencyFleet, hosts: string[]) => hosts.map((each) => fleet.site(each).id);
const sitesOf = (fleet: AgencyFleet, company: string) =>
	fleet.sites(({ internal }) => internal.client_id === fleet.client(company).id);
/** A change of exactly this body. */
const sent = (path: string, body?: unknown): Change => ({
	route: `POST /${path}`,
	is: (each) => body === undefined || JSON.stringify(each) === JSON.stringify(body),
});

const EMAIL = 'carla@acme.example.com';
const REDIRECTS = 'redirects/redirects.php';
const SIX = '2026-02-28T18:00Z';
const MILLER = ['www.miller.example.com', 'shop.miller.example.com'];
const SHOP = { site_url: at('shop.miller.example.com'), message: 'Before the sale' };
const CARE = { tag: 'Care plan', site_urls: MILLER.map(at).join(', ') };
const NEW = ['modern-studio.example.com', 'olive-school.example.com'];
const BRIGHT = { client: 'Bright Fitness', site_urls: NEW.join('\n') };
const ACME = { client: 'Acme', new_email: EMAIL, first_name: '', address: '' };
const TIDY = { site_urls: at('tidy-travel.fleet.test'), components: 'php' };
const FILES = ['redirects\\redirects.php', './wp-content/plugins/redirects', REDIRECTS];
const OLD = { php_below: '8.1' };
const YEAR = { after: '2026-01-01' };
const SPRING = { tag: 'Spring clean', new_name: 'Spring' };
const ADA = { name: 'Ada', email: 'ada@agency.example.org', role: 'collaborator' };
const TIMES = ['3', 'Fri 3:00', '2026-02-27T03:00', '2026-02-27T03:00Z'];
const WHOLE = { include_files: true, include_database: true };

const asked: Asked[] = [
	{
		sentence: 'Which sites does Acme have with us?',
		calls: ['List_sites', { company: 'Acme', client: '', php: '', limit: 0 }, { client: 'Acme' }],
		says: (f) => urls(sitesOf(f, 'Acme')),
		saysNot: (f) => urls(sitesOf(f, 'Miller Furniture')),
	},
	{
		sentence: 'How many sites do we look after, and which of them have lost their connection?',
		*script() {
			const { rows, text } = yield* until('List_sites', { limit: 0, from: 0 }, {});
			const from = Number(/next_from\D*(\d+)/.exec(text)?.[1]);
			const more = from ? (yield to('List_sites', { from, limit: 100 })).rows : [];
			const lost = yield to('List_sites', { connection: 'disconnected' });
			return `${rows.length + more.length} sites; ${lost.list('url')}`;
		},
		says: (f) => [
			`${f.sites(() => true).length} sites`,
			...urls(f.sites(({ connection }) => connection.status === 'disconnected')),
		],
	},
	{
		sentence: 'How many sites still run on a PHP older than 8.1?',
		calls: ['List_sites', { php: '< 8.1' }, { php_below: '8.1', tags: 'null' }, OLD],
		answer: ({ rows }) => `${rows.length} sites`,
		says: (f) => [`${f.sites(({ server }) => server.php_version < '8.1').length} sites`],
	},
	{
		sentence: 'Which sites have had no good backup since six yesterday evening, UTC?',
		calls: vary('List_sites_without_backup', 'since', [18, 'yesterday', '28 Feb 2026', SIX]),
		says: (f) => {
			const newest = (id: string) => completedSnapshots(f.world, id)[0]?.created_at ?? '';
			return urls(f.sites(({ id }) => newest(id) < SIX));
		},
	},
	{
		sentence: 'Which version of Redirects do the sites of Green Garden have?',
		calls: vary('List_plugins_and_themes', 'name', FILES, { client: 'Green Garden' }),
		answer: ({ rows }) => rows.map((row) => `${row.site_url} ${row.version}`).join(),
		says: (f) =>
			sitesOf(f, 'Green Garden').map((site) => {
				const all = componentsAt(f.world, site, Date.parse(NOW));
				return `${site.url} ${all.find(({ name }) => name === 'Redirects')!.version}`;
			}),
	},
	{
		sentence: 'Until when do we have the staging site of Wild Travel?',
		calls: ['List_staging_sites', { site_id: 'Wild Travel' }, { site_url: 'Wild Travel' }],
		says: () => ['"expires_at":"2026-03-05'],
	},
	{
		sentence: 'What failed since Saturday, midnight UTC, and where?',
		*script() {
			const after = '2026-02-28';
			const wrong = [{ after: '1772236800' }, { after, status: 'error' }];
			const failed = yield* until('List_tasks', ...wrong, { after, status: 'failed' });
			let told = '';
			for (const { id } of failed.rows) told += (yield to('Get_a_task', { task_id: id })).text;
			return told;
		},
		says: () => ['site https://rustic-photo.fleet.test', 'site https://happy-films.example.org'],
	},
	{
		sentence: 'Who of us can reach every site?',
		calls: ['List_team_members', { limit: '9' }, { name_contains: 'undefined' }, { limit: 9 }],
		answer: ({ rows }) => rows.map((row) => (row.all_sites_access ? row.name : '')).join(),
		says: () => ['Marta Lind', 'Theo Braun', 'Lucia Ferri'],
		saysNot: () => ['Ivo Santos', 'Hana Mori', 'Noah Klein'],
	},
	{
		sentence: 'How many reports have we made this year?',
		calls: ['List_reports', { after: '1 Jan 2026' }, { ...YEAR, client: 'N/A' }, YEAR],
		says: ({ store }) => [
			`"total":${store.reports.peek().filter((each) => each.created_at > '2026').length}`,
		],
	},
	{
		sentence: 'Is there anything to know about Clear Tours?',
		before: to('List_notes', { site_id: 'Clear Tours', limit: '10' }),
		calls: vary('List_notes', 'site_url', ['clear-tour.example', 'clear-tours.example.org']),
		says: () => ['certificate is renewed by the hosting', 'staging site before the summer'],
	},
	{
		sentence: 'Put both sites of Miller, www and shop, on the care plan.',
		calls: ['Tag_sites', { ...CARE, tag: 'care-plan' }, { ...CARE, site_urls: MILLER }, CARE],
		change: (f) => sent(`tags/${f.tag('Care plan').id}/assign`, { site_ids: idsOf(f, MILLER) }),
	},
	{
		sentence: `Acme writes from ${EMAIL} from now on.`,
		trap: 'Words for nothing are written: a client called null.',
		before: to('Change_a_client', { client: 'Acme', email: EMAIL }),
		calls: ['Change_a_client', { ...ACME, company_name: 'null', note: 'N/A' }, ACME],
		change: (f) => sent(`clients/${f.client('Acme').id}/update`, { client: { email: EMAIL } }),
	},
	{
		sentence: 'Call the tag Spring clean Spring.',
		calls: [
			...(['Rename_a_tag', { ...SPRING, tag: 'spring-clean' }] as const),
			...[{ ...SPRING, new_name: 'Shop' }, SPRING],
		],
		isTwice: true,
		change: (f) => sent(`tags/${f.tag('Spring clean').id}/update`, { tag: { name: 'Spring' } }),
	},
	{
		sentence: 'Modern Studio and Olive School belong to Bright Fitness.',
		before: to('Give_sites_to_a_client', { ...BRIGHT, client: 'client_17' }),
		calls: ['Give_sites_to_a_client', { ...BRIGHT, site_urls: NEW.join(' and ') }, BRIGHT],
		change: (f) => {
			const site_ids = [...sitesOf(f, BRIGHT.client).map(({ id }) => id), ...idsOf(f, NEW)];
			return sent(`clients/${f.client(BRIGHT.client).id}/update`, { client: { site_ids } });
		},
	},
	{
		sentence: 'Blue Door is a new client. I do not have their email yet.',
		before: to('Create_a_client', { name: 'Blue Door' }),
		calls: vary('Create_a_client', 'email', ['null', ''], { company_name: 'Blue Door' }),
		isTwice: true,
		change: () => sent('clients', { client: { company_name: 'Blue Door' } }),
	},
	{
		sentence: 'Back up the Miller shop, the sale begins.',
		before: to('fleet-care__Back_up_a_site', SHOP),
		calls: ['Back_up_a_site', { site: 'Miller Shop', reason: 'Sale' }, SHOP],
		isTwice: true,
		change: (f) => sent(`sites/${f.site('shop.miller.example.com').id}/sync`),
	},
	{
		sentence: `Send the newest report of Olive Events to ${EMAIL}.`,
		*script() {
			const { id } = (yield to('List_reports', { site_url: 'Olive Events', limit: 1 })).one();
			const errors = [{ code: 'yes' }, { recipients: `${EMAIL}, marta.lind@agency.example.org` }];
			const calls = vary('Send_a_report_by_email', 'recipients', [EMAIL], { report_id: id });
			return yield* play({ calls, errors });
		},
		change: ({ store }) => {
			const made = store.reports.peek().filter(({ site }) => site.title === 'Olive Events');
			const newest = made.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]!;
			const send_email = { recipients: [EMAIL], attach_pdf: true };
			return sent(`reports/${newest.id}/send-email`, { send_email });
		},
	},
	{
		sentence: 'Stop the weekly updates of plugins for now.',
		before: to('Pause_an_update_schedule', { schedule: 'weekly updates', code: 'null' }),
		calls: ['Pause_an_update_schedule', { schedule: 'Weekly plugin updates' }],
		errors: [{ what: 'Pause' }],
		change: (f) => sent(`auto-update-schedules/${f.schedule('Weekly plugin updates').id}/disable`),
	},
	{
		sentence: 'Noah is no longer with us: take away his access.',
		before: to('Remove_a_team_member', { email: 'Noah', what: 'Remove Noah', code: '123456' }),
		calls: ['Remove_a_team_member', { email: 'noah.klein@agency.example.org' }],
		errors: [{ code: '', what: 'N/A' }],
		change: (f) => ({ route: `DELETE /team-members/${f.person('Noah Klein').id}` }),
	},
	{
		sentence: 'Keep the staging site of Rustic Photo 48 hours longer.',
		*script() {
			yield to('Extend_a_staging_site', { staging_site_id: 'rustic-photo', days: 2 });
			const { id } = (yield to('List_staging_sites', { site_url: 'Rustic Photo' })).one();
			const calls = vary('Extend_a_staging_site', 'days', [48, 2], { staging_site_id: id });
			return yield* play({ calls });
		},
		change: (f) => {
			const { id } = f.stagingSiteOf('rustic-photo.fleet.test');
			return sent(`staging-sites/${id}/extend-expiry`, { days: 2 });
		},
	},
	{
		sentence: 'Bold Foundation is broken. Take it back to noon on Friday, UTC.',
		trap: 'Two sites have this title.',
		*script() {
			const found = yield to('List_sites', { url_contains: 'bold-found' });
			const times = ['Friday', '27/02/2026 12:00', '2026-02-27T12:00Z'];
			const given = { ...WHOLE, site_url: found.one().url };
			const first = yield* until(...vary('Restore_a_site', 'snapshot_before', times, given));
			return `Which: ${found.list('url')}? ${first.text}`;
		},
		says: () => ['foundation.example.org', 'foundation.fleet.test', '2026-02-26T23:10'],
	},
	{
		sentence: 'Delete the client Novak.',
		trap: 'Two clients have a contact person of this name.',
		calls: ['Delete_a_client', { client: 'Novak', dry_run: true }, { client: 'Ines Novak' }],
		says: () => ['More than one', '@happy-events.example.com', '@copper-museum.example.com'],
	},
	{
		sentence: 'Take Rustic Outdoors off the shops.',
		calls: ['Untag_sites', { tag: 'Shop', site_urls: 'Rustic Outdoors' }],
		says: () => ['More than one', 'rustic-outdoors.example.com', 'rustic-outdoors.fleet.test'],
	},
	{
		sentence: 'Peter has left. Remove him from the account.',
		before: to('Remove_a_team_member', { email: 'peter@agency.example.org' }),
		calls: ['List_team_members', { filter: 'Peter' }, { name_contains: 'Peter' }],
		answer: ({ rows, text }) => (rows.length > 0 ? 'He is removed.' : text),
		says: () => ['No records were found'],
	},
	{
		sentence: 'Would an update of Redirects on Velvet Yoga bring anything?',
		trap: 'It asks only.',
		calls: vary('Update_plugins_and_themes', 'components', FILES, { site_urls: 'Velvet Yoga' }),
		says: () => ['velvet-yoga.example.net', REDIRECTS],
	},
	{
		sentence: 'Set Tidy Travel to PHP 8.3.',
		trap: 'No tool can. The first call says what it would do instead.',
		calls: ['Update_plugins_and_themes', { ...TIDY, version: '8.3' }, TIDY],
		answer: ({ told, text }) =>
			told !== undefined || /the first call|Nothing was changed/.test(text)
				? 'No tool can.'
				: 'PHP will be updated.',
		says: () => ['No tool can'],
	},
	{
		sentence: 'Crisp Legal was fine on Friday at three. Restore it.',
		trap: 'A time without a zone is read as that of New York.',
		calls: vary('Restore_a_site', 'snapshot_before', TIMES, { ...WHOLE, site_url: 'Crisp Legal' }),
		answer: ({ text }) => `Three at night, UTC? ${text}`,
		says: () => ['at night', '2026-02-26T04:38'],
	},
	{
		sentence: 'We do not need the tag Summer any more.',
		calls: ['Delete_a_tag', { tag: 'Summer', what: 'null' }, { tag: 'Summer' }],
		says: () => ['No tag is called "Summer"', 'Spring clean'],
	},
	{
		sentence: 'How many sites would lose something if the tag Migration went?',
		calls: ['Delete_a_tag', { tag: 'Migration', preview: true }, { tag: 'Migration', what: '' }],
		says: (f) => {
			const { id } = f.tag('Migration');
			return [`${f.sites(({ internal }) => internal.tag_ids.includes(id)).length} sites`];
		},
	},
	{
		sentence: 'Invite ada@agency.example.org, Ada. She gets her sites later.',
		trap: 'Blank site_urls are for none, says the tool, and it refuses them.',
		before: to('Invite_a_team_member', { ...ADA, role: 'member', sites: 'None' }),
		calls: ['Invite_a_team_member', { ...ADA, site_urls: '' }],
		errors: [{ name: 'Ada Bell' }],
		change: () => ({ route: 'POST /team-members', is: (body) => body.team_member.name === 'Ada' }),
	},
];

export const strangers = asked.map((request): AgencyRequest => ({
	says: () => ['is done'],
	script: () => play(request),
	...request,
}));
