import { existsSync } from 'node:fs';
import path from 'node:path';
import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import { waitFor } from '../../sandbox/lib/wait';
import { startService, type Service } from '../../sandbox/service';
import { output, runWorkflow } from '../support/n8n';
import { startTestQueue, WORKERS, type TestQueue } from '../support/queue';
import { PACKAGE, publishVersions, startRegistry, type Registry } from '../support/registry';
import { chain, CREDENTIAL, nodeOf } from '../support/workflow';

/** In queue mode, workers get from the main process what is installed in the editor. */

const NAME = 'queue-install';
const START_MS = 15 * 60_000;
const TEST_MS = 5 * 60_000;
const COMES_WITHIN_MS = 60_000;

let registry: Registry;
let queue: TestQueue;
let service: Service;

beforeAll(async () => {
	registry = await startRegistry(`${NAME}-registry`);
	await publishVersions(registry, `${NAME}-package`);
	service = await startService({ sites: 20 });
	queue = await startTestQueue(NAME, () => registry.settings, false);
}, START_MS);

afterAll(async () => {
	await queue?.stop();
	await service?.close();
	await registry?.stop();
}, TEST_MS);

const isOn = (worker: string) =>
	existsSync(
		path.resolve(__dirname, '../.tmp', NAME, worker, '.n8n/nodes/node_modules', PACKAGE, 'dist'),
	);

it(
	'gives the package that the editor installs to the workers that run',
	async () => {
		const { rest } = queue.main();
		expect(WORKERS.filter(isOn)).toEqual([]);
		await rest.post('/community-packages', { name: PACKAGE });
		await waitFor(
			'the package on each worker',
			async () => WORKERS.every(isOn) || undefined,
			COMES_WITHIN_MS,
		);

		const data = { baseUrl: service.baseUrl, apiToken: service.token };
		const credentialId = await saveCredential(rest, { ...CREDENTIAL, data });
		const node = (name: string, type: string, parameters: object) =>
			nodeOf(credentialId, name, type, parameters);
		await importWorkflow(
			rest,
			chain(
				NAME,
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sites', 'site', { resource: 'site', operation: 'getAll', limit: 3 }),
			),
		);
		const execution = await waitFor(
			'an execution that knows the nodes',
			async () => {
				const each = await runWorkflow(rest, NAME, 'Start');
				return each.status === 'success' ? each : undefined;
			},
			COMES_WITHIN_MS,
		);
		expect(output(execution, 'Sites')).toHaveLength(3);
		expect(queue.ranOn(execution.id)).toHaveLength(1);
	},
	TEST_MS,
);
