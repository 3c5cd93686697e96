import axios from 'axios';
import { importWorkflow, saveCredential, withCredentials } from '../../sandbox/lib/content';
import type { Workflow } from '../../sandbox/lib/content';
import { waitFor } from '../../sandbox/lib/wait';
import { startService } from '../../sandbox/service';
import type { Service } from '../../sandbox/service';
import {
	activate,
	exampleWorkflow,
	finishedExecutions,
	output,
	runWorkflow,
	startTestN8n,
} from '../support/n8n';

const START_TIMEOUT_MS = 15 * 60_000;
const TEST_TIMEOUT_MS = 2 * 60_000;
const CREDENTIAL = { type: 'siteManagementApi', name: 'Site Management Sandbox' };
const PACKAGE = 'n8n-nodes-site-management';

let service: Service;
let n8n: Awaited<ReturnType<typeof startTestN8n>>;
let credentialId: string;

const client = axios.create({ proxy: false });

/** Reads the service directly, as its own users would. */
const api = async <T>(path: string, params: object = {}) =>
	(
		await client.get<T>(`${service.baseUrl}${path}`, {
			params,
			headers: { Authorization: `Bearer ${service.token}` },
		})
	).data;

const sandbox = async <T>(path: string, body: object) =>
	(await client.post<T>(new URL(`/_sandbox${path}`, service.baseUrl).href, body)).data;

async function addWorkflow(workflow: Workflow): Promise<string> {
	const ids = { [CREDENTIAL.name]: credentialId };
	await importWorkflow(n8n.rest, withCredentials(workflow, ids));
	return workflow.id;
}

beforeAll(async () => {
	service = await startService({ sites: 60 });
	n8n = await startTestN8n('e2e');
	const { baseUrl, token: apiToken } = service;
	credentialId = await saveCredential(n8n.rest, { ...CREDENTIAL, data: { baseUrl, apiToken } });
}, START_TIMEOUT_MS);

afterAll(async () => {
	await n8n?.stop();
	await service?.close();
}, TEST_TIMEOUT_MS);

describe('the package', () => {
	it('holds only what is published', () => {
		const strangers = n8n.packed.files.filter(
			(file) => !/^(dist\/(nodes|credentials|icons)\/|package\.json$|README|LICENSE)/.test(file),
		);
		expect(strangers).toEqual([]);
		expect(n8n.packed.files.filter((file) => /test|sandbox|\.ts$/i.test(file))).toEqual([]);
	});

	it('shows every node with an icon that n8n serves', async () => {
		const { data: types } = await n8n.rest.get<
			Array<{ name: string; iconUrl?: string | { light: string; dark: string } }>
		>(`${n8n.baseUrl}/types/nodes.json`);
		const ours = types.filter(({ name }) => name.startsWith(`${PACKAGE}.`));
		expect(ours.map(({ name }) => name.replace(`${PACKAGE}.`, ''))).toEqual(
			expect.arrayContaining(['site', 'tag', 'task', 'taskTrigger']),
		);
		for (const { name, iconUrl } of ours) {
			const icons = typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl];
			for (const icon of icons) {
				const answer = await n8n.rest.get(`${n8n.baseUrl}/${icon}`);
				expect({ name, status: answer.status, type: answer.headers['content-type'] }).toEqual({
					name,
					status: 200,
					type: expect.stringContaining('image/svg+xml'),
				});
			}
		}
	});
});

describe('the credential test', () => {
	const check = async (apiToken: string, baseUrl = service.baseUrl) => {
		const { type, name } = CREDENTIAL;
		const data = { baseUrl, apiToken };
		const answer = await n8n.rest.post<{ data: { status: string; message: string } }>(
			'/credentials/test',
			{ credentials: { id: credentialId, name, type, data } },
		);
		return answer.data.data;
	};

	it('accepts the right token', async () => {
		expect(await check(service.token)).toMatchObject({ status: 'OK' });
	});

	it('tolerates trailing slashes in the base URL', async () => {
		expect(await check(service.token, `${service.baseUrl}//`)).toMatchObject({ status: 'OK' });
	});

	it('sends the token to no other host without encryption', async () => {
		const { status, message } = await check(service.token, 'http://api.example.com/api/v6');
		expect(status).toBe('Error');
		expect(message).toContain('Base URL');
	});

	it('says what is wrong with the token or the base URL', async () => {
		expect(await check('wrong-token')).toMatchObject({
			status: 'Error',
			message: 'The service did not accept the API Token',
		});
		expect(await check(service.token, service.baseUrl.replace('/v6', '/v5'))).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('does the Base URL end with the version segment'),
		});
	});
});

describe("n8n's HTTP Request node with a credential that is limited", () => {
	const TRIGGER = 'Start';

	const requestWith = async (access: string, method: string, url: string) => {
		const { baseUrl, token: apiToken } = service;
		const { type } = CREDENTIAL;
		const name = `${CREDENTIAL.name} ${access}`;
		const id = await saveCredential(n8n.rest, { type, name, data: { baseUrl, apiToken, access } });
		const at = { position: [0, 0] as [number, number], typeVersion: 1 };
		const workflow = {
			id: `request-${access}-${method}`.toLowerCase(),
			name: `${method} with ${access}`,
			nodes: [
				{ id: '1', name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {}, ...at },
				{
					...at,
					id: '2',
					name: 'Request',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					parameters: {
						method,
						url,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: type,
						options: {},
					},
					credentials: { [type]: { id, name } },
				},
			],
			connections: { [TRIGGER]: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
			settings: {},
		};
		await importWorkflow(n8n.rest, workflow as unknown as Workflow);
		return await runWorkflow(n8n.rest, workflow.id, TRIGGER);
	};

	it(
		'reads, and deletes nothing',
		async () => {
			const { baseUrl, world } = service;
			const [tag] = world.store.tags.peek();
			const read = await requestWith('readOnly', 'GET', `${baseUrl}/tags/${tag!.id}`);
			expect(output(read, 'Request')).toEqual([{ tag: expect.objectContaining({ id: tag!.id }) }]);
			const before = service.requests.length;
			for (const access of ['readOnly', 'noIrreversible']) {
				const refused = await requestWith(access, 'DELETE', `${baseUrl}/tags/${tag!.id}`);
				expect(refused.status).toBe('error');
				expect(JSON.stringify(refused.data.resultData.error)).toContain('is not allowed by');
			}
			expect(service.requests).toHaveLength(before);
			expect(world.store.tags.get(tag!.id)).toBeDefined();
		},
		TEST_TIMEOUT_MS,
	);
});

describe('the workflow that tags disconnected sites', () => {
	const TRIGGER = 'When clicking ‘Execute workflow’';
	const TAG = 'Disconnected';

	const disconnectedIds = async () => {
		const { sites } = await api<{ sites: Array<{ id: string }> }>('/sites', {
			'filters[connection_status:eq]': 'disconnected',
			perPage: 100,
		});
		return sites.map(({ id }) => id).sort();
	};

	const tags = async () =>
		(
			await api<{ tags: Array<{ id: string; name: string; site_ids: string[] }> }>('/tags', {
				'filters[name:eq]': TAG,
			})
		).tags;

	let workflowId: string;

	beforeAll(async () => {
		workflowId = await addWorkflow(exampleWorkflow('1-tag-disconnected-sites.json'));
	});

	it(
		'creates the tag, assigns it to exactly those sites and reports them',
		async () => {
			const ids = await disconnectedIds();
			expect(ids.length).toBeGreaterThan(1);
			expect(await tags()).toEqual([]);

			const execution = await runWorkflow(n8n.rest, workflowId, TRIGGER);

			expect(execution.data.resultData.error).toBeUndefined();
			expect(execution.status).toBe('success');
			expect(output(execution, 'Get disconnected sites')).toHaveLength(ids.length);
			const assigned = output(execution, 'Assign the tag');
			expect(assigned.map(({ id }) => id).sort()).toEqual(ids);
			expect(assigned.every(({ success }) => success === true)).toBe(true);
			expect(output(execution, 'Report')).toEqual([
				expect.objectContaining({
					disconnected: ids.length,
					tagged: ids.length,
					message: expect.stringContaining(`${ids.length} sites are disconnected`),
				}),
			]);
			const [tag, ...more] = await tags();
			expect(more).toEqual([]);
			expect([...(tag?.site_ids ?? [])].sort()).toEqual(ids);
		},
		TEST_TIMEOUT_MS,
	);

	it(
		'finds the tag when it is run again',
		async () => {
			const before = await tags();
			const execution = await runWorkflow(n8n.rest, workflowId, TRIGGER);

			expect(execution.status).toBe('success');
			expect(execution.data.resultData.runData['Create the tag']).toBeUndefined();
			expect(await tags()).toHaveLength(before.length);
		},
		TEST_TIMEOUT_MS,
	);
});

describe('the workflow that starts when a task has finished', () => {
	const TRIGGER = 'When a task has finished';

	/** Every ten seconds: n8n refuses an interval below a minute, but not several moments in it. */
	const polledOften = (workflow: Workflow): Workflow => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.name === TRIGGER
				? {
						...node,
						parameters: {
							...node.parameters,
							pollTimes: {
								item: [0, 10, 20, 30, 40, 50].map((second) => ({
									mode: 'custom',
									cronExpression: `${second} * * * * *`,
								})),
							},
						},
					}
				: node,
		),
	});

	const finishTask = async (outcome: 'completed' | 'failed') => {
		const { sites } = await api<{ sites: Array<{ id: string }> }>('/sites', { perPage: 1 });
		const { task } = await sandbox<{ task: { id: string } }>('/tasks', {
			type: 'wp_site_update',
			site_ids: sites.map(({ id }) => id),
			outcome,
			duration_ms: 1_000,
		});
		await sandbox('/clock/advance', { ms: 2_000 });
		return task.id;
	};

	const polls = () => service.requests.filter(({ path }) => path.endsWith('/tasks')).length;

	const morePolls = async (count: number) => {
		const wanted = polls() + count;
		await waitFor(`${count} polls`, async () => (polls() >= wanted ? true : undefined), 60_000);
	};

	it(
		'runs once for each task that finishes after the activation, and for no earlier one',
		async () => {
			await finishTask('completed');
			const workflowId = await addWorkflow(polledOften(exampleWorkflow('2-task-trigger.json')));
			await activate(n8n.rest, workflowId);

			const ids = [await finishTask('completed'), await finishTask('failed')].sort();
			const seen = async () =>
				(await finishedExecutions(n8n.rest, workflowId)).flatMap((execution) =>
					output(execution, TRIGGER).map(({ id }) => id as string),
				);
			await waitFor(
				'both tasks',
				async () => ((await seen()).length >= ids.length ? true : undefined),
				60_000,
			);
			await morePolls(2);

			expect((await seen()).sort()).toEqual(ids);
			const executions = await finishedExecutions(n8n.rest, workflowId);
			expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
			const messages = executions.flatMap((one) => output(one, 'Write a message'));
			expect(messages.map(({ message }) => message).sort()).toEqual([
				'✅ Task wp_site_update completed: 1 of 1 sites done',
				'❌ Task wp_site_update failed: 0 of 1 sites done',
			]);
		},
		TEST_TIMEOUT_MS,
	);
});

describe('the workflows that tell of what has happened', () => {
	const store = () => service.world.store;

	/** Runs an example in the editor and gives what its last node would send, or sends where it is switched on. */
	const sentBy = async (file: string, last: string) => {
		const workflow = exampleWorkflow(file);
		const id = await addWorkflow(workflow);
		const [trigger] = workflow.nodes.filter(({ type }) => type.endsWith('Trigger'));
		const execution = await runWorkflow(n8n.rest, id, trigger!.name);
		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.status).toBe('success');
		return { execution, sent: output(execution, last) };
	};

	it.each([
		'3-report-by-email.json',
		'4-failed-backup-to-chat.json',
		'5-failed-update-to-ticket.json',
		'6-malware-to-staging.json',
	])('%s sends nothing before the user has said where to', (file) => {
		const { nodes } = exampleWorkflow(file) as unknown as {
			nodes: Array<{ type: string; disabled?: boolean }>;
		};
		const senders = nodes.filter(({ type }) => /httpRequest|emailSend/.test(type));
		expect(senders).toEqual([expect.objectContaining({ disabled: true })]);
	});

	it(
		'an e-mail for a finished report, with its PDF',
		async () => {
			const { execution, sent } = await sentBy('3-report-by-email.json', 'Write the e-mail');
			const reports = store().reports.all();
			const newest = reports
				.map(({ created_at: at }) => at)
				.sort()
				.at(-1);
			const report = reports.find(({ id }) => id === sent[0]!.id);
			expect(report!.created_at).toBe(newest);
			expect(sent[0]).toMatchObject({
				to: expect.stringMatching(/^\S+@\S+$/),
				subject: report!.title,
				message: expect.stringContaining(`from ${report!.start_date} to ${report!.end_date}.`),
			});
			const [run] = execution.data.resultData.runData['Write the e-mail']!;
			expect(run!.data!.main![0]![0]!.binary!.data).toMatchObject({ mimeType: 'application/pdf' });
		},
		TEST_TIMEOUT_MS,
	);

	it(
		'a chat message for a failed backup',
		async () => {
			const [first] = store().sites.all();
			const site = store().sites.get(first!.id)!;
			site.backups.enabled = true;
			site.sync.last_sync_at = service.world.timestamp();
			site.sync.last_sync_status = 'failed';
			site.sync.last_sync_error = 'The disk is full';
			const { sent } = await sentBy('4-failed-backup-to-chat.json', 'Write the message');
			const start = `❌ The backup of ${site.title} (${site.url}) has failed`;
			expect(sent[0]!.text).toMatch(start);
			expect(sent[0]!.text).toContain('The disk is full');
		},
		TEST_TIMEOUT_MS,
	);

	it(
		'a ticket for failed updates, with the sites of the task',
		async () => {
			const [site] = store().sites.all();
			const [schedule] = store().autoUpdateSchedules.all();
			const start = { type: 'wp_site_update', site_ids: [site!.id], outcome: 'failed' };
			const { task } = await sandbox<{ task: { id: string } }>('/tasks', {
				...start,
				duration_ms: 1_000,
			});
			await sandbox('/clock/advance', { ms: 2_000 });
			store().autoUpdateHistory.insert({
				id: 'failed run',
				auto_update_schedule: { id: schedule!.id, name: schedule!.name },
				performed_on: service.world.timestamp(),
				task_id: task.id,
				sites: [],
			});
			const { sent } = await sentBy('5-failed-update-to-ticket.json', 'Write the ticket');
			const ticket = sent.find(({ description }) => String(description).includes(task.id));
			expect(ticket).toEqual({
				title: `Updates failed: ${schedule!.name}`,
				description: expect.stringContaining(`- ${site!.id}: `),
			});
		},
		TEST_TIMEOUT_MS,
	);

	it(
		'a staging copy of a hacked site, and a chat message either way',
		async () => {
			for (const { id } of store().sites.all()) {
				store().sites.get(id)!.security.scanner.status = 'clean';
			}
			const complete = store()
				.sites.all()
				.filter(({ backups }) => backups.latest_snapshot?.status === 'succeeded');
			const [copied, bare] = complete.map(({ id }) => store().sites.get(id)!);
			for (const site of [copied!, bare!]) site.security.scanner.status = 'hacked';
			bare!.backups.latest_snapshot = null;
			const days = setInterval(() => void sandbox('/clock/advance', { ms: 60_000 }), 500);
			const file = '6-malware-to-staging.json';
			const { execution } = await sentBy(file, 'Send it to the chat').finally(() =>
				clearInterval(days),
			);
			const texts = ['Tell of the copy', 'Tell without a copy']
				.flatMap((node) => output(execution, node))
				.map(({ text }) => String(text));
			const passed = execution.data.resultData.runData['Send it to the chat'];
			expect(passed).toHaveLength(2);
			const staging = store()
				.stagingSites.all()
				.filter(({ site_id: site }) => site === copied!.id);
			expect(texts.sort()).toEqual(
				[
					`☣️ Malware on ${copied!.title} (${copied!.url}). A staging copy is ready: ${staging.at(-1)!.url}`,
					`☣️ Malware on ${bare!.title} (${bare!.url}). There is no staging copy: the latest snapshot is not complete`,
				].sort(),
			);
		},
		TEST_TIMEOUT_MS,
	);
});
