import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import { ends } from '../support/ending';
import { publishVersions, PACKAGE, startRegistry } from '../support/registry';
import type { Registry, Versions } from '../support/registry';
import { startTestN8n, type TestN8n } from '../support/n8n';
import { chain, CREDENTIAL, nodeOf } from '../support/workflow';

/** The ways to install the package that docs/upgrading.md describes, in a real n8n with a registry on loopback. */

let registry: Registry;
let versions: Versions;
let n8n: TestN8n | undefined;

beforeAll(async () => {
	registry = ends(await startRegistry('e2e-install-registry'));
	versions = await publishVersions(registry, 'e2e-install-package');
});

afterEach(async () => await n8n?.stop());
const start = async (name: string, settings: Record<string, string>, hasPackage = false) =>
	(n8n = await startTestN8n(
		`e2e-install-${name}`,
		{ ...registry.settings, ...settings },
		undefined,
		hasPackage,
	));

/** What *Settings → Community nodes* lists. */
async function listed({ rest }: TestN8n): Promise<string[]> {
	const { data } = await rest.get<{ data: Array<Record<string, string>> }>('/community-packages');
	return data.data.map(({ packageName, installedVersion }) => `${packageName}@${installedVersion}`);
}

/** Whether workflows can use the nodes. */
async function hasNodes({ rest }: TestN8n): Promise<boolean> {
	const nodeInfos = [{ name: `${PACKAGE}.site`, version: 1 }];
	const validateStatus = (status: number) => status === 200 || status === 400;
	const { status } = await rest.post('/node-types', { nodeInfos }, { validateStatus });
	return status === 200;
}

const install = async ({ rest }: TestN8n, name: string) => {
	const anyStatus = { validateStatus: () => true };
	return await rest.post<{ message?: string }>('/community-packages', { name }, anyStatus);
};

it('in the editor: a version, the update, and back to the version before', async () => {
	const here = await start('editor', {});
	const { first, next } = versions;
	expect([await listed(here), await hasNodes(here)]).toEqual([[], false]);

	expect((await install(here, `${PACKAGE}@${first}`)).status).toBe(200);
	expect([await listed(here), await hasNodes(here)]).toEqual([[`${PACKAGE}@${first}`], true]);

	const data = { baseUrl: 'http://127.0.0.1:9/api/v6', apiToken: 'kept' };
	const credentialId = await saveCredential(here.rest, { ...CREDENTIAL, data });
	const sites = nodeOf(credentialId, 'Sites', 'site', { resource: 'site', limit: 5 });
	await importWorkflow(here.rest, chain('kept', sites));

	await here.rest.patch('/community-packages', { name: PACKAGE, version: next });
	expect(await listed(here)).toEqual([`${PACKAGE}@${next}`]);

	const refused = await install(here, `${PACKAGE}@${first}`);
	expect(refused.status).toBe(400);
	expect(refused.data.message).toContain('already installed');

	await here.rest.delete('/community-packages', { params: { name: PACKAGE } });
	expect([await listed(here), await hasNodes(here)]).toEqual([[], false]);
	expect((await install(here, `${PACKAGE}@${first}`)).status).toBe(200);
	expect([await listed(here), await hasNodes(here)]).toEqual([[`${PACKAGE}@${first}`], true]);

	const { data: kept } = await here.rest.get<{ data: object }>('/workflows/kept');
	const { parameters, credentials } = sites;
	expect(kept.data).toMatchObject({ nodes: [{ parameters, credentials }] });
	// The one that is there is brought up to date.
	expect(await saveCredential(here.rest, { ...CREDENTIAL, data })).toBe(credentialId);
});

it('by command line: the editor does not list it, until it installs it as well, from no other registry', async () => {
	const here = await start('command-line', {}, true);
	expect([await listed(here), await hasNodes(here)]).toEqual([[], true]);
	expect((await install(here, PACKAGE)).status).toBe(200);
	expect(await listed(here)).toEqual([`${PACKAGE}@${versions.next}`]);

	await here.stop();
	const mirror = { N8N_COMMUNITY_PACKAGES_REGISTRY: 'http://127.0.0.1:9' };
	const mirrored = (n8n = await here.again(mirror));
	await mirrored.rest.delete('/community-packages', { params: { name: PACKAGE } });
	const refused = await install(mirrored, PACKAGE);
	expect(refused.data.message).toContain('Your license does not allow');
});

/** @param checksumOf a version, by default of the same */
const managed = async (version: string, checksumOf = version) => {
	const checksum = await registry.checksum(checksumOf);
	return {
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
		N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACKAGE, version, checksum }]),
	};
};

it('by environment: only the version with this checksum, also an older one, and where unverified packages are off', async () => {
	const { first, next } = versions;
	const newer = await start('managed', await managed(next));
	expect([await listed(newer), await hasNodes(newer)]).toEqual([[`${PACKAGE}@${next}`], true]);
	const refused = await install(newer, `${PACKAGE}@${first}`);
	expect(refused.data.message).toContain('managed via environment variables');

	await newer.stop();
	const older = (n8n = await newer.again(await managed(first)));
	expect([await listed(older), await hasNodes(older)]).toEqual([[`${PACKAGE}@${first}`], true]);

	await older.stop();
	const wrong = (n8n = await older.again(await managed(next, first)));
	expect([await listed(wrong), await hasNodes(wrong)]).toEqual([[`${PACKAGE}@${first}`], true]);
});
