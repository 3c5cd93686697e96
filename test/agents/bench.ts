import axios from 'axios';
import type { IRunExecutionData } from 'n8n-workflow';
import { importWorkflow, withCredentials, type Workflow } from '../../sandbox/lib/content';
import { readExample, saveCredentials } from '../../sandbox/lib/examples';
import { waitFor } from '../../sandbox/lib/wait';
import { ManualClock, startService } from '../../sandbox/service';
import { momentOf, putBack, type Moment } from '../../sandbox/service/engine/moment';
import { say } from '../support/chat';
import { BROWSER } from '../support/mails';
import { reached, startTestN8n, type TestN8n } from '../support/n8n';
import { starting } from '../support/starting';
import { PINNED } from '../support/versions';
import { NOW, prepareFleet } from './fleet';
import { startRecorder, type Model } from './recorder';

/** Example 12 in a real n8n, beside a fleet whose time stands still, with a model behind it. */

export const FLEET_TOOLS = '12-fleet-tools.json';

const TRIGGER = 'When a message comes';

/** What a person has read in the chat. */
export interface Conversation {
	answer: string;
	/** The questions of the reviews. */
	reviews: string[];
}

export type Button = 'Approve' | 'Decline';

export type Bench = Awaited<ReturnType<typeof startBench>>;

/** @param name of the folder of this n8n */
export async function startBench(name: string, model: Model, version = PINNED) {
	return await starting(async (runs) => {
		const clock = new ManualClock(Date.parse(NOW));
		const service = runs(await startService({ sites: 60, clock, rateLimit: { limit: 100_000 } }));
		prepareFleet(service.world);
		const beginning = momentOf(service.world);
		const recorder = runs(await startRecorder(model));
		const n8n = runs(await startTestN8n(name, {}, version));
		const ids = await saveCredentials(n8n, { service, mailbox: { smtpPort: 1 }, model: recorder });
		const workflow = withCredentials(readExample(FLEET_TOOLS, { service }), ids);
		const parametersOf = (node: string): Record<string, any> =>
			workflow.nodes.find(({ name }) => name === node)!.parameters;
		parametersOf('Chat model').model.value = model.name;
		// The agent is told the time of n8n, and the fleet has a time of its own.
		const { options } = parametersOf('Fleet agent');
		const time = `DateTime.fromISO("${NOW}", { zone: "utc" })`;
		options.systemMessage = options.systemMessage.replaceAll('$now', time);
		workflow.settings = { ...workflow.settings, timezone: 'UTC' };
		// An older n8n lacks nodes of the chat.
		if (version.isOlder) onlyServer(workflow);
		const workflowId = (await importWorkflow(n8n.rest, workflow)) ?? workflow.id;
		return {
			...{ service, n8n, recorder, workflowId },
			/** The IDs of the credentials of the examples, by their names. */
			credentials: ids,
			/** Puts the fleet back to how it was at the beginning, and forgets the requests. */
			reset() {
				putBack(service.world, JSON.parse(beginning) as Moment);
				service.requests.length = 0;
				recorder.takeTurn();
			},
			/** Asks in a conversation of its own, and clicks a button below each question of a review. */
			ask: async (sentence: string, button: Button) =>
				await talk(n8n, workflowId, sentence, button),
		};
	});
}

/** Leaves the MCP server of a workflow and its tools. */
function onlyServer(workflow: Workflow): void {
	const server = workflow.nodes.find(({ type }) => type.endsWith('.mcpTrigger'))!.name;
	const isBelow = ({ name }: { name: string }) =>
		name === server || JSON.stringify(workflow.connections[name] ?? {}).includes(`"${server}"`);
	workflow.nodes = workflow.nodes.filter(isBelow);
}

const TURN_MS = 5 * 60_000;

interface Sent {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

/**
 * What the chat shows next. n8n's chat looks every three seconds, which is too long for so many talks, so this reads
 * it where the chat does; the tests of the examples use the chat itself.
 */
function sentIn({ resultData }: IRunExecutionData): Sent | undefined {
	const { lastNodeExecuted: last, runData } = resultData;
	const run = runData[last ?? '']?.at(-1)?.data;
	const items = (run?.main ?? run?.ai_tool ?? []).flat();
	const [sent] = items.flatMap((item) => item?.sendMessage ?? []);
	if (sent === undefined) return undefined;
	return typeof sent === 'string'
		? { text: sent, buttons: [] }
		: { text: sent.text, buttons: (sent as Partial<Sent>).buttons ?? [] };
}

/** Where an execution waits: of several reviews in one answer it waits at one after the other. */
const placeOf = ({ resultData: { lastNodeExecuted: last, runData } }: IRunExecutionData) =>
	`${last}: ${Object.values(runData).flat().length}`;

async function talk(n8n: TestN8n, workflowId: string, sentence: string, button: Button) {
	const { rest } = n8n;
	const { executionId } = await say(n8n, workflowId, TRIGGER, sentence);
	const reviews: string[] = [];
	for (let place = ''; ;) {
		const seen = place;
		const { status, sent } = await waitFor(
			`an answer to "${sentence}"`,
			async () => {
				const found = await reached(rest, executionId, () => true);
				if (['new', 'running'].includes(found.status)) return undefined;
				place = placeOf(found.data);
				if (found.status === 'waiting' && place === seen) return undefined;
				return { status: found.status, sent: sentIn(found.data) };
			},
			TURN_MS,
			100,
		);
		if (!sent) throw new Error(`"${sentence}" ended without an answer: ${status}`);
		if (sent.buttons.length === 0) {
			await rest.post(`/executions/${executionId}/stop`).catch(() => undefined);
			return { answer: sent.text, reviews };
		}
		reviews.push(sent.text);
		const { link } = sent.buttons.find((each) => each.text === button)!;
		await axios.get(link, { proxy: false, headers: BROWSER });
	}
}
