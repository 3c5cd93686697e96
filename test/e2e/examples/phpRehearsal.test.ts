import { breakOnPhp, foldersOf } from '../../../sandbox/service/domain/content/phpBreaks';
import type { PhpBreak } from '../../../sandbox/service/domain/content/rows';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { lastGood } from '../../../sandbox/service/domain/snapshots/rules';
import {
	addStagingSite,
	startStaging,
	type StagingOrder,
} from '../../../sandbox/service/domain/stagingSites/rules';
import { Random } from '../../../sandbox/service/engine/random';
import {
	calls,
	EXAMPLE_MS,
	examples,
	inRounds,
	playRuns,
	RUNS,
	SEED,
	settingsOf,
	SHORT_WAITS,
	store,
	succeeded,
	tableUrl,
	useExamples,
} from '../../support/examples';
import { startRun } from '../../support/n8n';
import { fillTags, isLook, TAG, tagNamed, tagOnly, wellSites } from '../../support/safeUpdate';
import { until } from '../../support/until';

/** Example 14 in worlds of sites that PHP breaks: what it says of each is true, and nothing is left behind. */

const HOUR_MS = 3_600_000;
/** For each site, besides those that look for progress; large batches need about 14. */
const MOST_REQUESTS = 20;

interface Kind {
	breaks?: Partial<PhpBreak>;
	happens?: (site: SiteRow) => unknown;
	ends: 'ready' | 'blocked' | 'not known' | 'not rehearsed';
	/** What the message says of it, besides the page and the component. */
	says?: string;
}

const taskFails = (type: string) => async (site: SiteRow) =>
	await examples.control('/tasks/failures', { type, site_id: site.id });

const KINDS: Record<string, Kind> = {
	fine: { ends: 'ready', says: 'pages that work: 3' },
	'at once': { breaks: {}, ends: 'blocked' },
	'one page': { breaks: { pages: ['/shop'] }, ends: 'blocked' },
	'error without text': { breaks: { hides: true }, ends: 'blocked' },
	'with another': { breaks: { with: 'another' }, ends: 'blocked' },
	'without the other': { breaks: { with: 'plugins/not-there' }, ends: 'ready' },
	'broken before': { breaks: { from: '7.0' }, ends: 'not known', says: 'on the copy with PHP' },
	'copy fails': { happens: taskFails('staging'), ends: 'not known', says: 'step staging' },
	'change fails': {
		happens: taskFails('configure_staging_site'),
		ends: 'not known',
		says: 'step ',
	},
	expires: { happens: (site) => void suspendCopy(site), ends: 'not known' },
	'no snapshot': { happens: failSnapshots, ends: 'not known', says: 'no good snapshot' },
	'pages not listed': {
		happens: async ({ id }) =>
			await examples.faults({ server_errors: { path: `/sites/${id}/important-pages` } }),
		...{ ends: 'not known', says: 'The service failed' },
	},
	'no important pages': {
		happens: async ({ id }) =>
			await examples.control(`/sites/${id}/plan`, { without: ['performance'] }),
		...{ ends: 'ready', says: 'pages that work: 1' },
	},
	already: {
		happens: ({ server }) => (server.php_version = '8.4.1'),
		...{ ends: 'not rehearsed', says: 'has PHP 8.4.1' },
	},
	killed: { ends: 'ready' },
};

/** A run of them can be repeated. */
const TWICE = ['killed', 'one page', 'broken before'];

const random = new Random(SEED);
const used = new Set<string>();

// Ten minutes pass in a second.
useExamples('php-rehearsal', { rateLimit: { limit: 1e6 }, speed: 600, sites: 400 }, SHORT_WAITS);

beforeAll(async () => {
	await examples.add('01a-check-pages.json');
	await examples.add('14b-delete-the-copies.json');
	await examples.add('14a-rehearse-a-batch.json');
});

// It is another one since it was killed.
afterAll(async () => await examples.n8n?.stop());

const copies = () => store().stagingSites.peek();

/** The copies that people have made. */
const own = new Set<string>();

function failSnapshots({ id }: SiteRow): void {
	for (const snapshot of store().snapshots.ofSite(id)) snapshot.status = 'failed';
}

const copyOf = async (site: SiteRow) =>
	await until(
		'the copy',
		() => copies().find(({ id, site_id }) => site_id === site.id && !own.has(id)),
		...[EXAMPLE_MS, 20],
	);

async function suspendCopy(site: SiteRow): Promise<void> {
	(await copyOf(site)).status = 'suspended';
}

/** A site of a kind, which no other run has had, with two important pages and a copy that somebody has made. */
async function freshSite(name: string) {
	const { world } = examples.service;
	const { breaks, happens } = KINDS[name]!;
	const site = wellSites(examples.service).find(
		({ id }) => !used.has(id) && lastGood(world, id) && !copies().some((c) => c.site_id === id),
	)!;
	used.add(site.id);
	site.title = `<b>${site.title}</b>`;
	site.server.php_version = random.pick(['7.4.33', '8.1.2', '8.3.11']);
	site.performance.enabled = true;
	const pages = store().importantPages;
	for (const { id } of pages.ofSite(site.id)) pages.delete(id);
	for (const path of ['/shop', '/?page_id=12']) {
		pages.insert({ id: random.hex(24), site_id: site.id, url: site.url + path });
	}
	const { id, created_at } = lastGood(world, site.id)!;
	const order = { site_id: site.id, php_version: '8.1', snapshot: { id, created_at } };
	own.add(addStagingSite(world, order as StagingOrder, world.now - HOUR_MS).id);
	const [component, other] = random.sample(foldersOf(world, site), 2) as [string, string];
	const also = breaks?.with === 'another' && { with: other };
	await examples.control(`/sites/${site.id}/plan`, { without: [] });
	if (breaks) breakOnPhp(world, site, { component, from: '8.4', ...breaks, ...also });
	await happens?.(site);
	return { name, site, component, isDone: false };
}

type Played = Awaited<ReturnType<typeof freshSite>>;

const RESULTS = ['Ready for PHP 8.4', 'Blocked on PHP 8.4'];

const has = (site: SiteRow, tag: string) =>
	site.internal.tag_ids.includes(tagNamed(examples.service, tag)?.id ?? 'none');

/** What is wrong with what is said of a site; one that was done before n8n was killed only has its tag. */
function wrongsOf({ name, site, component, isDone }: Played, told: string): string[] {
	const { breaks, ends, says = '' } = KINDS[name]!;
	const start = told.indexOf(`(${site.url})`);
	const [line = ''] = told.slice(start).split('\n');
	const heading = told.slice(0, start).split('\n\n').at(-1)!.split('\n')[0]!;
	const page = `): ${site.url}${breaks?.pages?.[0] ?? ''}: `;
	const culprit = `Component: ${breaks?.hides ? 'not known' : component}`;
	const wrong = (isRight: boolean, what: string) => (isRight ? [] : [what]);
	const isTold = (isRight: boolean, what: string) => wrong(isDone || isRight, what);
	return [
		...wrong(has(site, RESULTS[0]!) === (ends === 'ready'), 'the tag of ready sites'),
		...wrong(has(site, RESULTS[1]!) === (ends === 'blocked'), 'the tag of blocked sites'),
		...isTold(heading.includes(ends), heading),
		...isTold(line.includes(says), line),
		...isTold(ends !== 'blocked' || (line.includes(page) && line.includes(culprit)), line),
	];
}

/** Runs it. n8n is killed once it waits for the copy of such a site, and a person runs it again. */
async function rehearse(workflow: string, played: Played[]): Promise<void> {
	const { n8n, run, service } = examples;
	const killed = played.find(({ name }) => name === 'killed');
	if (killed) {
		await startRun(n8n.rest, workflow, 'Every Saturday at one');
		await copyOf(killed.site);
		const posts = service.requests.map(({ method, path }) => `${method} ${path}`);
		const last = posts.lastIndexOf('POST /api/v6/staging-sites');
		const isWait = ({ path }: { path: string }) => /\/tasks\/\w+$/.test(path);
		// Before, n8n looks for the task by its own clock, and that of the service is hours ahead here.
		await until('the wait', () => service.requests.slice(last).some(isWait), EXAMPLE_MS, 20);
		await n8n.kill();
		for (const each of played) each.isDone = RESULTS.some((tag) => has(each.site, tag));
		const next = await n8n.again();
		Object.assign(n8n.rest.defaults, next.rest.defaults);
		examples.n8n = { ...next, rest: n8n.rest };
	}
	succeeded(await run(workflow));
}

const SETTINGS = settingsOf({ tag: TAG, php: '8.4', copies: 2 });

async function play(names: string[]) {
	const { service, copy, requestsOf, text, repair } = examples;
	const played: Played[] = [];
	for (const name of names) played.push(await freshSite(name));
	tagOnly(
		service,
		played.map(({ site }) => site),
	);
	const before = copies().map(({ id }) => id);
	const workflow = await copy('14-php-rehearsal.json', SETTINGS);
	const requests = await requestsOf(async () => await rehearse(workflow, played));
	const changes = requests.filter((each) => !/^GET |^\w+ \/(staging-sites|tags)\b/.test(each));
	expect(changes).toEqual([]);
	const tries = names.includes('killed') ? 2 : 1;
	const sent = requests.filter((each) => !isLook(each)).length;
	expect(sent).toBeLessThanOrEqual(tries * names.length * MOST_REQUESTS);
	expect(copies().map(({ id }) => id)).toEqual(before);
	const told = await text('PHP rehearsal');
	expect(told).not.toContain('Copies that are left');
	await repair();
	return played.map((each) => ({
		...{ name: each.name, outcome: KINDS[each.name]!.ends, told },
		wrong: wrongsOf(each, told),
	}));
}

it(
	'says of each site whether it is ready, and leaves nothing behind',
	async () => {
		const kinds = inRounds(Object.keys(KINDS));
		await playRuns(async () => {
			const names = new Set<string>();
			while (names.size < 3) names.add(kinds.next().value);
			// What happens only once would have happened before the second try.
			return await play(names.has('killed') ? TWICE : [...names]);
		});
	},
	RUNS * EXAMPLE_MS,
);

it('names a site that it cannot tag, which the next run rehearses again', async () => {
	const { service, copy, run, text } = examples;
	const { site } = await freshSite('fine');
	tagOnly(service, [site]);
	fillTags(service, site);
	succeeded(await run(await copy('14-php-rehearsal.json', SETTINGS)));
	expect(await text('could not be tagged')).toBe(
		`❌ ${site.title} (${site.url}): PHP rehearsal: the site could not be tagged. Site has the maximum number of tags`,
	);
	expect(await text('PHP rehearsal with')).toContain('✅ 1 site ready:');
});

it('keeps the note of a copy that it cannot delete, names the copy, and deletes it the next time', async () => {
	const { service, n8n, faults, repair, run, text } = examples;
	await calls('deleteCopies014b', {});
	const { site } = await freshSite('fine');
	tagOnly(service, []);
	const before = copies().map(({ id }) => id);
	const { id: snapshot_id } = lastGood(service.world, site.id)!;
	const { id: task_id } = startStaging(service.world, { site_id: site.id, snapshot_id });
	const { id: site_id, title, url } = site;
	const started_at = new Date().toISOString();
	const note = { site_id, title, url, started_at, staging_site_id: '' };
	const table = await tableUrl('Copies of rehearsals');
	await n8n.rest.post(`${table}/insert`, {
		data: [
			{ ...note, mark: 'of a task', task_id },
			{ ...note, mark: 'of a task that is gone', task_id: 'f0f0f0f0f0f0f0f0f0f0f0f0' },
		],
	});
	const marks = async () => {
		const { data } = await n8n.rest.get(`${table}/rows`);
		return data.data.data.map(({ mark }: { mark: string }) => mark);
	};
	const workflow = await examples.copy('14-php-rehearsal.json', SETTINGS);
	await faults({ server_errors: { method: 'DELETE', path: '/staging-sites' } });
	succeeded(await run(workflow));
	expect(await marks()).toEqual(['of a task']);
	expect(await text('a copy may be left')).toContain(`(${url}): The service found no such record`);
	const left = /Copies that are left, which the next run deletes: (.*)/s;
	expect(left.exec(await text('PHP rehearsal with'))?.[1]).toContain(`(${url})`);

	await repair();
	succeeded(await run(workflow));
	expect(await marks()).toEqual([]);
	expect(copies().map(({ id }) => id)).toEqual(before);
	expect(await text('PHP rehearsal with')).not.toContain('Copies that are left');
});
