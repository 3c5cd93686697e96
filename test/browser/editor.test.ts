import type { Page } from 'playwright-core';
import { documentation } from '../../nodes/shared/describe/texts';
import { importWorkflow } from '../../sandbox/lib/content';
import { waitFor } from '../../sandbox/lib/wait';
import { beginSnapshot, nameLatest } from '../../sandbox/service/domain/snapshots/rules';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../sandbox/service/domain/snapshots/rows';
import { siteOutput } from '../../nodes/Site/resources/siteOutput';
import { openWorkflow } from '../support/browser';
import {
	add,
	choose,
	entries,
	errorOf,
	execute,
	field,
	inEditor,
	locatorInput,
	openStep,
	part,
	pick,
	pickMode,
	shows,
	startEditor,
	stepWorkflow,
	table,
	TRIGGER,
	type,
	typeCode,
	typeTime,
} from '../support/editor';
import type { Editor } from '../support/editor';
import { ends } from '../support/ending';
import { locator } from '../support/locator';
import { runWorkflow } from '../support/n8n';
import { OTHERS, WANTED } from '../support/searches';
import { chain, CREDENTIAL, nodeOf } from '../support/workflow';

/**
 * What a person does in n8n's editor, by mouse and keyboard, and what they see there; and on the page of the sandbox that
 * shows what workflows do to the fleet.
 */

let editor: Editor;
let fleet: Editor['fleet'];

beforeAll(async () => {
	editor = ends(await startEditor('browser-editor'));
	({ fleet } = editor);
});

const it = (name: string, work: () => Promise<void>) => inEditor(() => editor, name, work);

const MISSING = '0123456789abcdef01234567';

const sent = (route: string, query: object = {}, body?: object) => ({ route, query, body });

const valueOf = async (page: Page, name: string) =>
	await field(page, name).locator('input').inputValue();

/** The columns of Simplified that anyone looks for, from the record as the service has it. */
async function simplified(id: string): Promise<Record<string, string>> {
	const { site } = (await fleet.api.get(`/sites/${id}`)).data;
	fleet.forget();
	const values = {
		id,
		title: site.title,
		url: site.url,
		connection_status: site.connection.status,
		backups_enabled: site.backups.enabled,
		snapshot_created_at: site.backups.latest_snapshot?.created_at ?? null,
		last_sync_at: site.sync.last_sync_at,
		last_sync_status: site.sync.last_sync_status,
		core_version: site.wp.core.current_version,
		client_id: site.client?.id ?? null,
		scanner_status: site.security.scanner.status,
		uptime_status: site.uptime.status,
	};
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

describe('adding a node', () => {
	const search = async (page: Page, text: string) => {
		await part(page, 'node-creator-search-bar').fill(text);
		await shows(part(page, 'node-creator-item-name'), /^Site Management/);
		return await part(page, 'node-creator-item-name').allInnerTexts();
	};

	it('is found by its name and by its purpose, and has the chosen action', async () => {
		const { n8n, browser } = editor;
		const page = await browser.context.newPage();
		await page.goto(`${n8n.baseUrl}/workflow/new`, { waitUntil: 'domcontentloaded' });
		await part(page, 'canvas-plus-button').first().click();
		expect(await search(page, 'wordpress')).toContain('Site Management Site');
		await part(page, 'node-creator-search-bar').fill('');
		expect((await search(page, 'site management tag'))[0]).toBe('Site Management Tag');
		await part(page, 'node-creator-item-name').first().click();
		await shows(part(page, 'node-creator'), 'Actions (9)');
		const names = await part(page, 'node-creator-item-name').allInnerTexts();
		expect(names.slice(-9)).toEqual([
			'Assign tag to sites',
			'Count tags',
			'Create tag',
			'Create or update tag',
			'Delete tag',
			'Get tag',
			'Get many tags',
			'Remove tag from sites',
			'Update tag',
		]);

		await part(page, 'node-creator-item-name').filter({ hasText: 'Create tag' }).click();
		await part(page, 'ndv').waitFor();
		expect(await valueOf(page, 'resource')).toBe('Tag');
		expect(await valueOf(page, 'operation')).toBe('Create');
		await choose(page, 'operation', 'Get Many');
		await part(page, 'node-credentials-select').click();
		await pick(page, CREDENTIAL.name);
		await execute(editor, page);
		const shown = await table(page);
		expect(fleet.sent()).toEqual([sent('GET /tags', { page: '1', perPage: '50' })]);
		const { tags } = (await fleet.api.get('/tags', { params: { perPage: 50 } })).data;
		expect(shown.map(({ id, name }) => [id, name])).toEqual(
			tags.map((tag: Record<string, unknown>) => [String(tag.id), tag.name]),
		);
	});

	const foundBy = async (page: Page, text: string) => {
		const bar = part(page, 'node-creator-search-bar');
		await bar.fill(text);
		// Without this key n8n waits for more letters.
		await bar.press('ArrowDown');
		let before: string[] = [];
		// n8n adds the names some at a time.
		const isComplete = async () => {
			const shown = await part(page, 'node-creator-item-name').allInnerTexts();
			const isSame = shown.join() === before.join();
			before = shown;
			return isSame || undefined;
		};
		await waitFor(`what "${text}" finds`, isComplete, 5_000, 80);
		return before.map((name) => name.trim());
	};

	it('common searches find the right node first, and names of other products find none', async () => {
		const { n8n, browser } = editor;
		const { data: types } = await n8n.rest.get<Array<{ name: string; displayName: string }>>(
			`${n8n.baseUrl}/types/nodes.json`,
		);
		const nameOf = (node: string) =>
			types.find(({ name }) => name === `n8n-nodes-site-management.${node}`)?.displayName;
		const page = await browser.context.newPage();
		await page.goto(`${n8n.baseUrl}/workflow/new`, { waitUntil: 'domcontentloaded' });
		await part(page, 'canvas-plus-button').first().click();
		await part(page, 'node-creator-search-bar').waitFor();
		const isOurs = (name: string) => name.startsWith('Site Management');

		const first: Array<[string, string | undefined]> = [];
		for (const [text] of WANTED) first.push([text, (await foundBy(page, text)).find(isOurs)]);
		expect(first).toEqual(WANTED.map(([text, node]) => [text, nameOf(node)]));

		for (const text of OTHERS) {
			const names = await foundBy(page, text);
			expect([text, names.filter(isOurs)]).toEqual([text, []]);
			// The list is that of this search: the product is in it.
			expect(names.some((name) => name.toLowerCase().startsWith(text))).toBe(true);
		}
	});

	it('shows the operations of the resource that is chosen', async () => {
		const page = await openStep(editor, 'backupContent', {});
		expect(await valueOf(page, 'resource')).toBe('File');
		await choose(page, 'resource', 'Table');
		await field(page, 'operation').click();
		await entries(page).first().waitFor();
		const names = (await entries(page).allInnerTexts()).map((text) => text.split('\n')[0]);
		expect(names).toEqual([
			'Count',
			'Get Many',
			'Get Stats',
			'Include in Backups',
			'Leave Out of Backups',
		]);
		await pick(page, 'Leave Out of Backups');
		await field(page, 'tables').waitFor();
		await part(page, 'resource-locator-siteId').waitFor();
		const docs = part(page, 'ndv').getByRole('link', { name: 'Docs' });
		expect(await docs.getAttribute('href')).toBe(
			documentation('nodes.md#site-management-backup-content'),
		);
	});
});

describe('a required group without entries', () => {
	it('shows a notice until an entry is added', async () => {
		const create = { resource: 'schedule', operation: 'create', name: 'Weekly' };
		const page = await openStep(editor, 'autoUpdate', create);
		const missing = (name: string) => page.getByText(`Nothing is set under "${name}" yet`);
		await missing('Updates').first().waitFor();
		await missing('Sites').first().waitFor();
		await add(page, 'Add Sites');
		await missing('Sites').first().waitFor({ state: 'hidden' });
		expect(await missing('Updates').count()).toBeGreaterThan(0);
	});
});

describe('choosing a site', () => {
	it('From List shows the sites of the fleet by title, and finds a part of a title', async () => {
		const sites = await fleet.sites(100);
		const sorted = sites
			.map(({ title, url }) => `${title} (${new URL(url).host})`)
			.sort((a, b) => a.localeCompare(b));
		const wanted = 'Bakery (';
		const found = sorted.filter((name) => name.includes(wanted));
		expect(found.length).toBeGreaterThan(0);
		const others = sorted.filter((name) => !found.includes(name));
		const page = await openStep(editor, 'site', { operation: 'get' });
		fleet.forget();
		await locatorInput(page, 'siteId').click();
		const names = part(page, 'rlc-item');
		await names.first().waitFor();
		// The editor may have asked for more than it shows.
		const shown = (await names.allInnerTexts()).map((name) => name.trim());
		expect(shown.length).toBeGreaterThanOrEqual(50);
		expect(shown).toEqual(sorted.slice(0, shown.length));
		await part(page, 'rlc-search')
			.locator('input')
			.or(page.locator('input[data-test-id="rlc-search"]'))
			.fill(wanted);
		await names.filter({ hasText: others[0] }).waitFor({ state: 'hidden' });
		await names.first().waitFor();
		expect((await names.allInnerTexts()).map((name) => name.trim())).toEqual(found);

		await names.first().click();
		fleet.forget();
		await execute(editor, page);
		const got = await table(page);
		const { id } = sites.find(({ url }) => found[0]!.includes(new URL(url).host))!;
		expect(fleet.sent()).toEqual([sent(`GET /sites/${id}`)]);
		expect(got).toMatchObject([await simplified(id)]);
	});

	it('By URL finds the site of exactly this address', async () => {
		const [site] = await fleet.sites(1);
		const page = await openStep(editor, 'site', { operation: 'get' });
		await pickMode(page, 'siteId', 'By URL');
		await shows(part(page, 'ndv'), 'The exact host and path');
		await type(page, locatorInput(page, 'siteId'), site!.url);
		await execute(editor, page);
		expect(await table(page)).toMatchObject([await simplified(site!.id)]);
	});
});

describe('the credential', () => {
	it('shows an error for a wrong credential, and success for a right one', async () => {
		const page = await openStep(editor, 'tag', {});
		await part(page, 'node-credentials-select').click();
		await part(page, 'node-credentials-select-item-new')
			.or(page.getByText('Set up credential'))
			.first()
			.click();
		const modal = part(page, 'editCredential-modal');
		const input = (name: string) => field(modal, name).locator('input');
		const save = async () =>
			await part(modal, 'credential-save-button')
				.getByRole('button')
				.or(part(modal, 'credential-save-button'))
				.first()
				.click();
		const details = async () => await modal.getByText('More details').click();

		await input('baseUrl').fill(fleet.baseUrl);
		await input('apiToken').fill('wrong-token');
		fleet.forget();
		await save();
		await shows(modal, 'Couldn’t connect with these settings');
		await details();
		await shows(modal, 'The service rejected the API token');
		expect(new Set(fleet.sent().map(({ route }) => route))).toEqual(new Set(['GET /tags']));

		fleet.forget();
		await input('baseUrl').fill('http://api.example.com/api/v6');
		await input('apiToken').fill(fleet.token);
		await save();
		await shows(modal, 'Base URL of the credential must start with https://');
		expect(fleet.sent()).toEqual([]);

		await input('baseUrl').fill(fleet.baseUrl);
		await shows(modal, 'With any limit, the credential works in the nodes of this package only');
		await choose(page, 'siteAccess', 'Selected');
		await shows(
			modal,
			'IDs, from Site: Get Many. Allowed are these sites and those with one of Only Tags.',
		);
		await choose(page, 'siteAccess', 'All');
		await save();
		await shows(modal, 'Connection tested successfully');
	});
});

describe('the test event of a trigger', () => {
	it('shows one', async () => {
		const added = { events: ['siteAdded'], output: 'simplified' };
		const page = await openStep(editor, 'siteTrigger', added);
		await shows(part(page, 'ndv'), 'Only events after you publish the workflow start it.');
		await execute(editor, page);
		const [newest] = await fleet.sites(1);
		expect(await table(page)).toMatchObject([
			{ event: 'siteAdded', ...(await simplified(newest!.id)) },
		]);
	});

	it('says why there are none', async () => {
		const states = (await fleet.sites(60)).map(({ security }) => security.scanner.status);
		expect(states).not.toContain('hacked');
		const page = await openStep(editor, 'siteTrigger', { events: ['malwareFound'] });
		await execute(editor, page);
		expect(await errorOf(page)).toEqual({
			message: 'No site to show yet',
			description:
				'No site matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
		});
	});
});

describe('an error', () => {
	it('names the parameter that is blank, before anything is sent', async () => {
		const page = await openStep(editor, 'site', { operation: 'get', siteId: locator('') });
		await part(page, 'node-execute-button').click();
		await shows(page.locator('.el-notification'), 'Parameter "Site" is required.');
		expect(fleet.sent()).toEqual([]);
	});

	it('names the item that the service does not know, and what to do', async () => {
		const page = await openStep(editor, 'site', { operation: 'get' });
		await pickMode(page, 'siteId', 'By ID');
		await type(page, locatorInput(page, 'siteId'), MISSING);
		await execute(editor, page);
		expect(fleet.sent().map(({ route }) => route)).toEqual([`GET /sites/${MISSING}`]);
		expect(await errorOf(page)).toEqual({
			message: `The service found no such record: The site ${MISSING} was not found; list the IDs with Site: Get Many (/sites/${MISSING})`,
			description: 'The record may have been deleted, or the ID belongs to another account.',
		});
		await shows(page.locator('.el-notification'), 'The service found no such record');
	});

	it('names the parameter whose expression returns nothing, before anything is sent', async () => {
		const list = { operation: 'getAll', filters: { nameContains: 'care' } };
		const page = await openStep(editor, 'tag', list);
		await field(page, 'nameContains').hover();
		await part(
			part(page, 'nameContains-parameter-input-options-container'),
			'radio-button-expression',
		).click();
		await typeCode(page, 'nameContains', '{{ $json.nothing }}');
		await execute(editor, page);
		expect(await errorOf(page)).toEqual({
			message:
				'The parameter "Name Contains" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
			description:
				'Nothing was sent. If the parameter is an expression, check its value for this item.',
		});
		expect(fleet.sent()).toEqual([]);
	});
});

describe('values set in the panel are sent', () => {
	it('a day that is picked in the calendar', async () => {
		const [site] = await fleet.sites(1);
		const create = { resource: 'customWork', operation: 'create', siteId: locator(site!.id) };
		const page = await openStep(editor, 'customWork', create);
		await part(page, 'fixed-collection-add').click();
		await type(page, field(page, 'title').locator('input'), 'Contact form repaired');
		await field(page, 'performedOn').locator('input').click();
		const calendar = page.locator('.el-picker-panel:visible');
		// The clock of the service stands, so that days of now are in its future.
		await calendar.getByRole('button', { name: 'Previous Year' }).click();
		await calendar.locator('td.available').getByText('15', { exact: true }).click();
		const day = await valueOf(page, 'performedOn');
		expect(day).toMatch(/^\d{4}-\d\d-15$/);
		await execute(editor, page);
		const [made] = await table(page);
		const work = { title: 'Contact form repaired', performed_on: day };
		expect(made).toMatchObject(work);
		expect(fleet.sent()).toEqual([
			sent(`POST /sites/${site!.id}/custom-works`, {}, { custom_works: [work] }),
			sent(`GET /sites/${site!.id}`),
		]);
	});

	it('filters: one choice, several choices from the service, a time in the time zone of the workflow', async () => {
		const { tags } = (await fleet.api.get('/tags')).data;
		const idOf = (name: string) =>
			String(tags.find((tag: Record<string, unknown>) => tag.name === name).id);
		const page = await openStep(editor, 'site', { operation: 'getAll' });
		await add(page, 'Add Filter', 'Connection Status');
		await choose(page, 'connectionStatus', 'Connected');
		await add(page, 'Add Filter', 'Tag Names or IDs');
		await choose(page, 'tagIds', 'Care plan', 'Internal');
		await add(page, 'Add Filter', 'Created After');
		await typeTime(page, 'createdAfter', '2025-03-01', '08:30:00');
		fleet.forget();
		await execute(editor, page);
		const shown = await table(page);
		const query = {
			'filters[connection_status:eq]': 'connected',
			'filters[tags:in][]': [idOf('Care plan'), idOf('Internal')],
			'filters[created_at:gte]': '2025-03-01T13:30:00Z',
			page: '1',
			perPage: '50',
		};
		// A number can be the name of another tag, so the tags are read first.
		expect(fleet.sent()).toEqual([
			sent('GET /tags', { page: '1', perPage: '100' }),
			sent('GET /sites', query),
		]);
		const { sites } = (await fleet.api.get('/sites', { params: query })).data;
		expect(shown.map(({ id }) => id)).toEqual(sites.map((site: { id: string }) => site.id));
		expect(shown.length).toBeGreaterThan(0);
	});

	it('JSON', async () => {
		const [sender] = (await fleet.api.get('/sender-emails')).data.sender_emails;
		const page = await openStep(editor, 'senderEmail', {
			operation: 'update',
			senderEmailId: locator(String(sender.id)),
		});
		await add(page, 'Add Field', 'Additional Body Fields');
		await typeCode(page, 'additionalBodyFields', '{ "reply_to": "office@example.com"');
		fleet.forget();
		await execute(editor, page);
		expect((await errorOf(page)).message).toBe(
			'The parameter "Additional Body Fields" is not valid JSON (at position 34)',
		);
		expect(fleet.sent()).toEqual([]);
		const sender_email = { return_path: { host: 'mail.example.com' } };
		await typeCode(page, 'additionalBodyFields', JSON.stringify(sender_email));
		await execute(editor, page);
		const update = sent(`POST /sender-emails/${sender.id}/update`, {}, { sender_email });
		expect(fleet.sent()).toEqual([update]);
	});

	it('Only If and Preview keep a tag from being deleted', async () => {
		const { tag } = (await fleet.api.post('/tags', { tag: { name: 'To be deleted' } })).data;
		const deletion = async (check: string) => {
			const tagId = locator(String(tag.id));
			const page = await openStep(editor, 'tag', { operation: 'delete', tagId });
			await type(page, field(page, 'onlyIfName').locator('input'), check);
			fleet.forget();
			return page;
		};
		const routes = () => fleet.sent().map(({ route }) => route);
		// That no other tag has the name, and that this one has it.
		const looks = ['GET /tags', `GET /tags/${tag.id}`];

		let page = await deletion('Another tag');
		await execute(editor, page);
		expect(await errorOf(page)).toEqual({
			message: `Delete was refused by Only If: the tag "To be deleted" (${tag.id}) has another name than "Another tag"`,
			description: 'Check the tag, or Only If Name. Nothing was changed by this item.',
		});
		expect(routes()).toEqual(looks);

		page = await deletion('To be deleted');
		await field(page, 'preview').locator('.el-switch').or(field(page, 'preview')).first().click();
		await execute(editor, page);
		const [preview] = await table(page);
		expect(preview).toMatchObject({
			preview: 'true',
			operation: 'Tag: Delete',
			does: expect.stringContaining('cannot be restored'),
			target: expect.stringContaining('To be deleted'),
		});
		expect(routes()).toEqual(looks);

		page = await deletion('To be deleted');
		await execute(editor, page);
		const name = 'To be deleted';
		expect(await table(page)).toEqual([{ deleted: 'true', id: String(tag.id), name }]);
		expect(routes()).toEqual([...looks, `DELETE /tags/${tag.id}`]);
	});
});

describe('an operation of the API document', () => {
	const PLACE = 'body.auto_update_schedule';

	it('is found by words, and shows its parameters, which are sent', async () => {
		const page = await openStep(editor, 'api', { operation: 'anyOperation' });
		await locatorInput(page, 'apiOperation').click();
		await part(page, 'rlc-search').fill('auto-update-schedules post');
		await part(page, 'rlc-item').filter({ hasText: 'POST /auto-update-schedules)' }).click();
		await field(page, `${PLACE}.name`).waitFor();
		const scope = { sites: { selection: 'all' }, updates: { cms_core: true } };
		const at = '2030-01-01T03:00:00Z';
		await type(page, field(page, `${PLACE}.name`).locator('input'), 'Cores');
		await choose(page, `${PLACE}.schedule`, 'daily');
		await type(page, field(page, `${PLACE}.started_at`).locator('input'), at);
		const wrong = JSON.stringify({ ...scope, updates: { cms_core: 'yes' } });
		await typeCode(page, `${PLACE}.scope`, wrong);
		fleet.forget();
		await execute(editor, page);
		expect((await errorOf(page)).message).toContain(
			'The parameter "Values to Send > scope" has "yes" at updates.cms_core, which is not of the type boolean',
		);
		await typeCode(page, `${PLACE}.scope`, JSON.stringify(scope));
		await execute(editor, page);
		const schedule = { name: 'Cores', schedule: 'daily', started_at: at, scope };
		const all = fleet.sent().filter(({ route }) => !route.endsWith('/openapi.json'));
		expect(all).toEqual([
			sent('POST /auto-update-schedules', {}, { auto_update_schedule: schedule }),
		]);
		expect(await table(page)).toMatchObject([{ name: 'Cores' }]);
	});
});

describe('"Which sites of this client have no good backup since yesterday?"', () => {
	it('needs a date and a client, and also names sites that are disabled, new or failing', async () => {
		const { store, random } = fleet.world;
		const [good, off, never, failing] = store.sites.all() as [SiteRow, SiteRow, SiteRow, SiteRow];
		for (const site of [good, off, never, failing]) site.internal.client_id = null;
		const site_ids = [good, off, never, failing].map(({ id }) => id);
		const client = { company_name: 'Harbour Bakery', email: 'own@example.com', site_ids };
		await fleet.api.post('/clients', { client });
		const backUp = (site: SiteRow, status: SnapshotRow['status'], hoursAgo: number) => {
			const created_at = new Date(fleet.clock.now() - hoursAgo * 3_600_000).toISOString();
			const fields = { id: random.hex(24), status, note: null, created_at };
			nameLatest(site, beginSnapshot(fleet.world, site, fields));
		};
		for (const site of [good, off, never, failing]) {
			const own = store.snapshots.all().filter(({ site_id: id }) => id === site.id);
			for (const { id } of own) store.snapshots.delete(id);
			const none = { latest_snapshot: null, available_snapshots: 0 };
			site.backups = { ...site.backups, ...none, enabled: site !== off };
		}
		backUp(good, 'succeeded', 1);
		backUp(off, 'succeeded', 240);
		backUp(failing, 'succeeded', 240);
		backUp(failing, 'failed', 1);

		const page = await openStep(editor, 'backup', { operation: 'findSitesWithoutBackup' });
		await add(page, 'Add Filter', 'Client');
		await locatorInput(page, 'clientId').click();
		await part(page, 'rlc-item').filter({ hasText: 'Harbour Bakery' }).click();
		await execute(editor, page);
		const found = (await table(page)).map(({ site_id: id, reason }) => [id, reason]);
		expect(Object.fromEntries(found)).toEqual({
			[off.id]: 'backups off',
			[never.id]: 'no good backup yet',
			[failing.id]: 'newest backup failed',
		});
	});
});

describe('the node after one that has not run yet', () => {
	it('offers the fields of its output', async () => {
		const { n8n, browser, credentialId } = editor;
		const [site] = await fleet.sites(1);
		const workflow = chain(
			'fields',
			nodeOf(credentialId, 'Start', 'n8n-nodes-base.manualTrigger', {}),
			// What is left as it is, the editor fills in by itself.
			nodeOf(credentialId, 'Sites', 'site', { operation: 'get', siteId: locator(site!.id) }),
			nodeOf(credentialId, 'Edit', 'n8n-nodes-base.set', {}, { typeVersion: 3.4 }),
		);
		await importWorkflow(n8n.rest, workflow);
		const page = await openWorkflow(browser, n8n.baseUrl, workflow.id);
		await page.locator('[data-test-id="canvas-node"][data-node-name="Edit"]').dblclick();
		const fields = part(part(page, 'ndv'), 'run-data-schema-item');
		await shows(fields, 'connection_status');
		// The list is put in order by places on the page, which has those in view, and has an entry for what is in a list.
		const offered = (await fields.allInnerTexts()).filter((name) => !name.endsWith(']'));
		const all = Object.keys(siteOutput.simplified);
		expect(all).toEqual(expect.arrayContaining(offered));
		expect(offered.length).toBeGreaterThan(20);
		expect(fleet.sent()).toEqual([]);
	});
});

describe("the sandbox's page of the fleet", () => {
	it('shows the sites, and changes by a workflow without a reload', async () => {
		const { browser, n8n, credentialId } = editor;
		const params = { sort: 'url,asc', perPage: 25 };
		const { sites } = (await fleet.api.get('/sites', { params })).data;
		const [site] = sites;
		const page = await browser.context.newPage();
		let loads = 0;
		page.on('load', () => (loads += 1));
		await page.goto(fleet.pageUrl, { waitUntil: 'load' });
		const list = page.getByRole('table', { name: 'Sites' });
		await shows(list, site.title);
		const titles = await list.locator('a.title').allInnerTexts();
		expect(titles).toEqual(sites.map(({ title }: { title: string }) => title));
		await shows(page.getByRole('toolbar', { name: 'Sites to show' }), /60\s*All sites/);

		await list.locator('a.title').first().click();
		await page.getByRole('heading', { name: site.title }).first().waitFor();
		const content = 'Written by a workflow';
		await page.getByText(content).waitFor({ state: 'hidden' });
		const parameters = { resource: 'note', operation: 'create', siteId: locator(site.id), content };
		const workflow = stepWorkflow('note', 'note', parameters, credentialId);
		await importWorkflow(n8n.rest, workflow);
		const execution = await runWorkflow(n8n.rest, workflow.id, TRIGGER);
		expect(execution.status).toBe('success');
		await page.getByText(content).first().waitFor();
		expect(loads).toBe(1);
	});
});
