import { publishVersions, PACKAGE, startRegistry } from '../support/registry';
import type { Registry, Versions } from '../support/registry';
import { startTestN8n } from '../support/n8n';
import type { TestN8n } from '../support/n8n';

/** The ways to install the package that docs/upgrading.md describes, in a real n8n with a registry on loopback. */

const START_MS = 15 * 60_000;
const TEST_MS = 5 * 60_000;

let registry: Registry;
let versions: Versions;
let n8n: TestN8n | undefined;

beforeAll(async () => {
	registry = await startRegistry('e2e-install-registry');
	versions = await publishVersions(registry, 'e2e-install-package');
}, START_MS);

afterEach(async () => await n8n?.stop(), TEST_MS);
afterAll(async () => await registry?.stop(), TEST_MS);

const start = async (name: string, settings: Record<string, string>, hasPackage = false) =>
	(n8n = await startTestN8n(
		`e2e-install-${name}`,
		{ ...registry.settings, ...settings },
		undefined,
		hasPackage,
	));

/** What *Settings → Community nodes* lists. */
async function listed({ rest }: TestN8n): Promise<string[]> {
	const { data } = await rest.get<{
		data: Array<{ packageName: string; installedVersion: string }>;
	}>('/community-packages');
	return data.data.map(({ packageName, installedVersion }) => `${packageName}@${installedVersion}`);
}

/** Whether workflows can use the nodes. */
async function hasNodes({ rest }: TestN8n): Promise<boolean> {
	const nodeInfos = [{ name: `${PACKAGE}.site`, version: 1 }];
	const { status } = await rest.post(
		'/node-types',
		{ nodeInfos },
		{ validateStatus: (each) => each === 200 || each === 400 },
	);
	return status === 200;
}

const install = async ({ rest }: TestN8n, name: string) =>
	await rest.post<{ message?: string }>(
		'/community-packages',
		{ name },
		{ validateStatus: () => true },
	);

it(
	'in the editor: a version, the update, and back to the version before',
	async () => {
		const here = await start('editor', {});
		const { first, next } = versions;
		expect(await listed(here)).toEqual([]);
		expect(await hasNodes(here)).toBe(false);

		expect((await install(here, `${PACKAGE}@${first}`)).status).toBe(200);
		expect(await listed(here)).toEqual([`${PACKAGE}@${first}`]);
		expect(await hasNodes(here)).toBe(true);

		await here.rest.patch('/community-packages', { name: PACKAGE, version: next });
		expect(await listed(here)).toEqual([`${PACKAGE}@${next}`]);

		const refused = await install(here, `${PACKAGE}@${first}`);
		expect(refused.status).toBe(400);
		expect(refused.data.message).toContain('already installed');

		await here.rest.delete('/community-packages', { params: { name: PACKAGE } });
		expect(await listed(here)).toEqual([]);
		expect((await install(here, `${PACKAGE}@${first}`)).status).toBe(200);
		expect(await listed(here)).toEqual([`${PACKAGE}@${first}`]);
		expect(await hasNodes(here)).toBe(true);
	},
	TEST_MS,
);

it(
	'by command line: the editor does not list it, until it installs it as well',
	async () => {
		const here = await start('command-line', {}, true);
		expect(await listed(here)).toEqual([]);
		expect(await hasNodes(here)).toBe(true);
		expect((await install(here, PACKAGE)).status).toBe(200);
		expect(await listed(here)).toEqual([`${PACKAGE}@${versions.next}`]);
	},
	TEST_MS,
);

const managed = (checksum: string) => ({
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
	N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACKAGE, version: versions.first, checksum }]),
});

it(
	'by environment: the version with this checksum, also where unverified packages are off',
	async () => {
		const here = await start('managed', managed(await registry.checksum(versions.first)));
		expect(await listed(here)).toEqual([`${PACKAGE}@${versions.first}`]);
		expect(await hasNodes(here)).toBe(true);
		const refused = await install(here, `${PACKAGE}@${versions.next}`);
		expect(refused.status).toBeGreaterThanOrEqual(400);
		expect(await listed(here)).toEqual([`${PACKAGE}@${versions.first}`]);
	},
	TEST_MS,
);

it(
	'by environment: nothing with another checksum',
	async () => {
		const here = await start('checksum', managed(await registry.checksum(versions.next)));
		expect(await listed(here)).toEqual([]);
		expect(await hasNodes(here)).toBe(false);
	},
	TEST_MS,
);
