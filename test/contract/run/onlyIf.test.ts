import { runNode, operationRun } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** Only If lets a change through to the record that is meant, and to no other. */

const fleet = fleetEach({ sites: 30 });
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	sites = await fleet.sites(30);
});

const deleteSite = (more: object = {}, id: unknown = '={{ $json.id }}') =>
	operationRun('site', 'delete', { siteId: locator(id), ...more });

const onlyUrl = (url: string) => ({ onlyIf: 'url', onlyIfUrl: url });

type Site = Record<string, any>;
const hostOf = ({ url }: Site) => new URL(url).host;

it.each([
	['the host', hostOf],
	['the host in capitals with a slash', (site: Site) => `${hostOf(site).toUpperCase()}/`],
	['the URL', (site: Site) => site.url],
])('%s of the right site lets it through, with one read before', async (_what, url) => {
	const [site] = sites as [Site];
	const { error } = await runNode(fleet, deleteSite(onlyUrl(url(site)), site.id));
	expect(error).toBeUndefined();
	expect(fleet.routes()).toEqual([`GET /sites/${site.id}`, `DELETE /sites/${site.id}`]);
});

it.each([
	['another host', (site: Site) => `staging.${hostOf(site)}`],
	['a path that the site has not', (site: Site) => `${site.url}/blog`],
	['another port', (site: Site) => `${site.url}:8443`],
])('%s refuses it, with both in the message', async (_what, url) => {
	const [site] = sites as [Site];
	const { error } = await runNode(fleet, deleteSite(onlyUrl(url(site)), site.id));
	expect(error?.message).toContain(
		`Delete was refused by Only If: the site ${site.id} has the url "${site.url}", not "${url(site)}"`,
	);
	expect(fleet.changes()).toEqual([]);
});

it('a site below a path is not the one at its root', async () => {
	const [site] = sites as [Site];
	await fleet.api.post(`/sites/${site.id}/update`, { site: { url: `${site.url}/blog` } });
	fleet.forget();
	const { error } = await runNode(fleet, deleteSite(onlyUrl(site.url), site.id));
	expect(error?.message).toContain('refused by Only If');
	expect(fleet.changes()).toEqual([]);
});

it('the name can be asked for instead', async () => {
	const [site] = sites as [Site];
	const onlyIf = { onlyIf: 'name', onlyIfName: `${site.title} 2` };
	const { error } = await runNode(fleet, deleteSite(onlyIf, site.id));
	expect(error?.message).toContain(`has the name "${site.title}", not "${site.title} 2"`);
	expect(fleet.changes()).toEqual([]);
});

// n8n keeps $fromAI() in a choice, shows both texts with it, and wants them.
const both = { onlyIfUrl: 'https://other.example.com', onlyIfName: 'Another' };

it.each<[string, object]>([
	['an expression as a whole', { onlyIf: '={{ ({ onlyIfUrl: "https://other.example.com" }) }}' }],
	['an expression that would choose nothing', { onlyIf: '={{ "none" }}' }],
	['a choice of a model', { onlyIf: "={{ $fromAI('only_if', '', 'string', 'none') }}", ...both }],
	['a collection', { onlyIf: { onlyIfUrl: 'https://other.example.com' } }],
	['a collection with a wrong key', { onlyIf: { url: 'https://other.example.com' } }],
	['a word that is no choice', { onlyIf: 'URL', onlyIfUrl: 'https://other.example.com' }],
	['null', { onlyIf: null }],
])('does not vanish as %s', async (_, guard) => {
	for (const asTool of [false, true]) {
		const run = { ...deleteSite(guard, sites[0]!.id), asTool };
		const { error } = await runNode(fleet, run);
		expect(error?.message).toMatch(/^The parameter "Only If"/);
	}
	expect(fleet.sent()).toEqual([]);
});

it('is not filled in by the model that chooses the record', async () => {
	const [site] = sites as [Site];
	const ai = (key: string, value: string) => `={{ $fromAI('${key}', '', 'string', '${value}') }}`;
	const run = deleteSite(onlyUrl(ai('url', site.url)), ai('site', site.id));
	const { error } = await runNode(fleet, { ...run, asTool: true });
	expect(error?.message).toBe(
		'The parameter "URL Is" is filled in by the model ($fromAI), so the model would check itself. Set the value in the workflow',
	);
	expect(fleet.sent()).toEqual([]);
	const fixed = deleteSite(onlyUrl(site.url), ai('site', sites[1]!.id));
	const other = await runNode(fleet, { ...fixed, asTool: true });
	expect(other.error?.message).toContain(`the site ${sites[1]!.id} has the url`);
	expect(fleet.changes()).toEqual([]);
});

it('a blank value is refused by n8n before the run', async () => {
	for (const [onlyIf, name, text] of [
		['url', 'onlyIfUrl', 'URL Is'],
		['name', 'onlyIfName', 'Name Is'],
	]) {
		const run = runNode(fleet, deleteSite({ onlyIf, [name!]: '' }, sites[0]!.id));
		await expect(run).rejects.toThrow(`Parameter "${text}" is required`);
	}
	expect(fleet.sent()).toEqual([]);
});

it.each([' ', '={{ $json.gone }}', '={{ null }}', '={{ [] }}'])(
	'%j is refused: nothing is sent',
	async (url) => {
		const run = deleteSite(onlyUrl(url), sites[0]!.id);
		const { error } = await runNode(fleet, run);
		expect(error?.message).toMatch(/^The parameter "URL Is"/);
		expect(fleet.sent()).toEqual([]);
	},
);

it('checks the site of records below it, and reads it again for each change', async () => {
	const [site] = sites as [Site];
	for (const content of ['a', 'b', 'c']) {
		await fleet.api.post(`/sites/${site.id}/notes`, { note: { content } });
	}
	const { data } = await fleet.api.get(`/sites/${site.id}/notes`);
	fleet.forget();
	const note = { siteId: locator(site.id), noteId: locator('={{ $json.id }}') };
	const run = operationRun(
		'note',
		'delete',
		{ ...note, ...onlyUrl(site.url) },
		{ items: data.notes },
	);
	const { error } = await runNode(fleet, run);
	expect(error).toBeUndefined();
	expect(fleet.routes()).toEqual(
		data.notes.flatMap(({ id }: any) => [
			`GET /sites/${site.id}`,
			`DELETE /sites/${site.id}/notes/${id}`,
		]),
	);
});

it('the wrong one of many stops the rest', async () => {
	const items = sites.slice(0, 3).map(({ id, url }, index) => ({
		id,
		url: index === 1 ? 'https://other.example.com' : url,
	}));
	const run = { ...deleteSite(onlyUrl('={{ $json.url }}')), items };
	const { error } = await runNode(fleet, run);
	expect(error?.message).toContain(`the site ${items[1]!.id} has the url`);
	expect(fleet.changes()).toEqual([`DELETE /sites/${items[0]!.id}`]);
});

it('a migration is compared with its destination', async () => {
	const [source, destination] = sites as [Site, Site];
	const { data } = await fleet.api.get(`/sites/${source.id}/snapshots`);
	const snapshot = data.snapshots.find(({ status }: any) => status === 'succeeded');
	fleet.forget();
	const migrate = (onlyIf: object) =>
		operationRun('backup', 'migrate', {
			siteId: locator(source.id),
			snapshotId: locator(snapshot.id),
			destinationUrl: destination.url,
			includeFiles: true,
			...onlyIf,
		});
	const wrong = await runNode(fleet, migrate(onlyUrl(source.url)));
	expect(wrong.error?.message).toContain(
		`the destination "${destination.url}" has the url "${destination.url}", not "${source.url}"`,
	);
	const named = { onlyIf: 'name', onlyIfName: source.title };
	expect((await runNode(fleet, migrate(named))).error?.message).toContain(
		`has the name "${destination.title}", not "${source.title}"`,
	);
	expect(fleet.changes()).toEqual([]);
	const shown = await runNode(fleet, migrate({ ...onlyUrl(destination.url), preview: true }));
	expect(shown.json[0]).toMatchObject({
		target: { site: { id: destination.id, title: destination.title } },
		source: { site: { id: source.id }, snapshot: { id: snapshot.id } },
	});
	const { error } = await runNode(fleet, migrate(onlyUrl(destination.url)));
	expect(error).toBeUndefined();
	expect(fleet.changes()).toHaveLength(1);
});

it('the right URL of another record lets nothing through', async () => {
	const url = 'https://www.example.com';
	const body = { site: { id: 'other', url } };
	const wayward = await startWayward(() => ({ body }));
	const run = deleteSite(onlyUrl(url), 'asked');
	const { error } = await runNode(wayward, run);
	expect(error?.message).toContain('another record: asked was requested, other was returned');
	expect(wayward.requests).toHaveLength(1);
	await wayward.close();
});

it('an email of a record that has no path of its own', async () => {
	const { data } = await fleet.api.get('/managed-accounts');
	const account = data.managed_accounts.find(({ status }: any) => status === 'connected');
	fleet.forget();
	const leave = (email: string) =>
		operationRun('managedAccount', 'delete', {
			managedAccountId: locator(account.id),
			onlyIf: 'email',
			onlyIfEmail: email,
		});
	const wrong = await runNode(fleet, leave('someone@example.com'));
	expect(wrong.error?.message).toContain(
		`has the email "${account.email}", not "someone@example.com"`,
	);
	expect(fleet.changes()).toEqual([]);
	const { error } = await runNode(fleet, leave(account.email.toUpperCase()));
	expect(error).toBeUndefined();
	expect(fleet.changes()).toHaveLength(1);
});
