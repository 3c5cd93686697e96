import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { importWorkflow } from '../../sandbox/lib/content';
import { startService, type Service } from '../../sandbox/service';
import { ends } from '../support/ending';
import { output, runWorkflow } from '../support/n8n';
import { startTestQueue, WORKERS, type TestQueue } from '../support/queue';
import { PACKAGE, publishVersions, startRegistry } from '../support/registry';
import type { Registry, Versions } from '../support/registry';
import { until } from '../support/until';
import { chain, nodeOf, saveAccount } from '../support/workflow';

/** In queue mode, workers get from the main process what is installed in the editor. */

const NAME = 'queue-install';

let registry: Registry;
let versions: Versions;
let queue: TestQueue;
let service: Service;

beforeAll(async () => {
	registry = ends(await startRegistry(`${NAME}-registry`));
	versions = await publishVersions(registry, `${NAME}-package`);
	service = ends(await startService({ sites: 20 }));
	queue = ends(await startTestQueue(NAME, settingsOf, false));
});

/** What the main process alone is told. */
let ofMain: Record<string, string> = {};

const settingsOf = (process: string) => ({
	...registry.settings,
	...(WORKERS.includes(process) ? { N8N_REINSTALL_MISSING_PACKAGES: 'true' } : ofMain),
});

const folderOn = (worker: string) =>
	path.resolve(__dirname, '../.tmp', NAME, worker, '.n8n/nodes/node_modules', PACKAGE);

function versionOn(worker: string): string | undefined {
	const file = path.join(folderOn(worker), 'package.json');
	if (!existsSync(file)) return undefined;
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

const haveVersion = async (version?: string) =>
	await until(`${version ?? 'no package'} on each worker`, () =>
		WORKERS.every((worker) => versionOn(worker) === version),
	);

it('gives the package that the editor installs to the workers that run', async () => {
	const { rest } = queue.main();
	await haveVersion(undefined);
	await rest.post('/community-packages', { name: PACKAGE, version: versions.first });
	await haveVersion(versions.first);

	const credentialId = await saveAccount(queue.main(), service);
	const start = nodeOf(credentialId, 'Start', 'n8n-nodes-base.manualTrigger', {});
	const list = { resource: 'site', operation: 'getAll', limit: 3 };
	await importWorkflow(rest, chain(NAME, start, nodeOf(credentialId, 'Sites', 'site', list)));
	const execution = await until('an execution that knows the nodes', async () => {
		const each = await runWorkflow(rest, NAME, 'Start');
		return each.status === 'success' && each;
	});
	expect(output(execution, 'Sites')).toHaveLength(3);
	expect(queue.ranOn(execution.id)).toHaveLength(1);
});

it('updates and removes it there too, and a worker that starts later gets it', async () => {
	const { rest } = queue.main();
	await rest.patch('/community-packages', { name: PACKAGE, version: versions.next });
	await haveVersion(versions.next);

	// As a container that replaces another one.
	await Promise.all(WORKERS.map(async (worker) => await queue.worker(worker).stop()));
	for (const worker of WORKERS) rmSync(folderOn(worker), { recursive: true });
	await queue.use(settingsOf);
	await haveVersion(versions.next);

	await rest.delete('/community-packages', { params: { name: PACKAGE } });
	await haveVersion(undefined);
});

it('gives the workers what the environment of the main process names', async () => {
	const version = versions.first;
	const checksum = await registry.checksum(version);
	ofMain = {
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
		N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACKAGE, version, checksum }]),
	};
	await queue.main().stop();
	await queue.startMain();
	await haveVersion(version);
});
