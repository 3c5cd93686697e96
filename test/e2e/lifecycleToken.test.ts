import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../sandbox/lib/ports';
import { startService } from '../../sandbox/service';
import { setLiving } from '../../sandbox/service/engine/living';
import { finishedExecutions, folderForTest, output, startTestN8n } from '../support/n8n';
import { until } from '../support/until';
import {
	begunByKey,
	editWorkflows,
	everythingHasCome,
	inEachMode,
	leaveConnectionsAlone,
	missing,
	modes,
	readExecutions,
	SPEED,
	startWatch,
	stopWatch,
	switchTriggersOn,
	watched,
	type Watch,
} from '../support/watchedTriggers';
import { addActive, chain, nodeOf, saveAccount } from '../support/workflow';

/** The API token ends while the triggers poll: what the owner is told, and what comes once a token is there again. */

const START_TIMEOUT_MS = 15 * 60_000;
const TIMEOUT_MS = 8 * 60_000;
const COMES_WITHIN_MS = 60_000;
const POLL_EVERY_S = 10;
const POLL_MS = POLL_EVERY_S * 1_000;
const MINUTE_MS = 60_000;

const ERRORS = 'errors';
const ERROR_TRIGGER = 'Error Trigger';
const errorWorkflow = chain(ERRORS, nodeOf('', ERROR_TRIGGER, 'n8n-nodes-base.errorTrigger', {}));

const names = Object.keys(watched);

const REFUSED = 'The service rejected the API token';

interface Outcome {
	/** What the error workflow was begun with, for each failed poll. */
	reports: Array<Record<string, any>>;
	failed: number;
	/** How long n8n leaves the triggers alone after that, in minutes. */
	pauses: number[];
	/** What was not told once the same token was valid again. */
	lost: string[];
	/** The same, in default mode, once another token was in the credential: until then, and from then on. */
	replaced?: { before: number; toldOfThem: number; lost: string[] };
}

const failedPolls = ({ executions }: Watch) =>
	Object.values(executions)
		.flat()
		.filter(({ status }) => status === 'error');

/** Waits until a poll of each trigger has failed, and the error workflow has got it. */
async function untilRefused(watch: Watch, times: number) {
	await until('failed polls', async () => {
		await readExecutions(watch, ...names);
		const failed = (name: string) =>
			watch.executions[name]!.filter(({ status }) => status === 'error').length;
		return names.every((name) => failed(name) >= times);
	});
	const { length } = failedPolls(watch);
	await until('the error workflow', async () => {
		const reports = await finishedExecutions(watch.n8n.rest, ERRORS);
		return reports.length >= length;
	});
}

const lostSince = (watch: Watch, since: string) =>
	names.flatMap((name) => missing(watch, name, since).map((key) => `${name} ${key}`));

async function outcomeOf(mode: string): Promise<Outcome> {
	const n8n = await startTestN8n(`e2e-token-${mode}`, modes[mode]);
	const port = await freePort();
	const data = path.join(folderForTest(`e2e-token-service-${mode}`), 'data');
	const watch = await startWatch(n8n, { port, data, token: 'first' });
	try {
		// n8n starts only one that is published.
		await addActive(n8n, errorWorkflow);
		await switchTriggersOn(watch, {
			everySeconds: POLL_EVERY_S,
			settings: { errorWorkflow: ERRORS },
		});
		const begun = watch.service.world.timestamp();
		setLiving(watch.service.world, true);
		leaveConnectionsAlone(watch);
		await pause(POLL_MS);

		await watch.service.close();
		const again = { port, data, speed: SPEED, living: true };
		watch.service = await startService({ ...again, faults: { token_expired: true } });
		await untilRefused(watch, 1);
		const reports = await finishedExecutions(n8n.rest, ERRORS);
		const found: Outcome = {
			reports: reports.flatMap((each) => output(each, ERROR_TRIGGER)),
			failed: failedPolls(watch).length,
			pauses: pausesOf(watch),
			lost: [],
		};

		await watch.service.close();
		watch.service = await startService({ ...again, token: 'first' });
		// n8n goes on at once where the poll times are others.
		if (found.pauses.length > 0) await editWorkflows(watch, '0 * * * * *', '1 * * * * *');
		await pause(POLL_MS);
		const until = watch.service.world.timestamp();
		await everythingHasCome(watch, begun, COMES_WITHIN_MS);
		const late = new Set(lostSince(watch, until));
		found.lost = lostSince(watch, begun).filter((key) => !late.has(key));

		if (found.pauses.length > 0) return found;
		const ended = watch.service.world.timestamp();
		await watch.service.close();
		watch.service = await startService({ ...again, token: 'second' });
		await untilRefused(watch, 2);
		const before = names.flatMap((name) => missing(watch, name, ended).map((key) => [name, key]));
		await saveAccount(n8n, watch.service);
		// A poll with it.
		await pause(2 * POLL_MS);
		const anew = watch.service.world.timestamp();
		await pause(2 * POLL_MS);
		setLiving(watch.service.world, false);
		await everythingHasCome(watch, anew, COMES_WITHIN_MS);
		const toldOfThem = before.filter(([name, key]) => begunByKey(watch, name!).has(key!)).length;
		found.replaced = { before: before.length, toldOfThem, lost: lostSince(watch, anew) };
		return found;
	} finally {
		await stopWatch(watch);
	}
}

/** With durable cursors n8n notes until when it does not poll. */
const pausesOf = ({ n8n }: Watch) =>
	n8n
		.query('SELECT backoffUntil FROM poller_state WHERE backoffUntil IS NOT NULL')
		.map(({ backoffUntil }) => {
			const until = Date.parse(`${String(backoffUntil).replace(' ', 'T')}Z`);
			return Math.round((until - Date.now()) / MINUTE_MS);
		});

const outcomeIn = inEachMode(START_TIMEOUT_MS + TIMEOUT_MS, async (mode) => {
	const { reports, ...figures } = await outcomeOf(mode);
	process.stdout.write(`${mode}, the token ends: ${JSON.stringify(figures)}\n`);
	return { reports, ...figures };
});

it.each(Object.keys(modes))('in %s mode each failed poll starts the error workflow', (mode) => {
	const { reports, failed } = outcomeIn(mode);
	expect(reports.length).toBeGreaterThanOrEqual(names.length);
	expect(failed).toBeGreaterThanOrEqual(names.length);
	for (const { trigger, workflow, execution } of reports) {
		expect(trigger.error.message).toContain(REFUSED);
		expect(trigger.error.description).toContain('enter a valid token');
		expect(workflow.name).toMatch(/^Trigger /);
		expect(execution).toBeUndefined();
	}
});

it.each(Object.keys(modes))(
	'in %s mode all events are emitted once the token is valid again',
	(mode) => {
		expect(outcomeIn(mode).lost).toEqual([]);
	},
);

it('n8n leaves a trigger with durable cursors alone for half an hour, unless its poll times change', () => {
	const { pauses } = outcomeIn('durable');
	expect(pauses).toHaveLength(names.length);
	for (const minutes of pauses) expect(minutes).toBeGreaterThan(20);
	expect(outcomeIn('default').pauses).toEqual([]);
});

it('another token in the same credential loses nothing either', () => {
	const { replaced } = outcomeIn('default');
	expect(replaced?.lost).toEqual([]);
	expect(replaced?.before).toBeGreaterThan(0);
	expect(replaced?.toldOfThem).toBe(replaced?.before);
});
