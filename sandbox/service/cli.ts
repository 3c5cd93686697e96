import { DRIFT_RATE, withRate } from '../lib/drift.mjs';
import { readNumber } from '../lib/number.mjs';
import { onStop } from '../lib/stop';
import { parseFeatures, parseLimits, planUsage } from './domain/account/words';
import { faults, type Faults } from './http/faults';
import { occurrenceUsage } from './http/occurrence';
import { readProfile } from './http/profile';
import { type ServiceOptions, startService } from './index';
import { parseArgs } from 'node:util';

interface Option {
	/** What is written after the option; none for a switch. */
	value?: string;
	does: string;
	apply(options: ServiceOptions, text: string): void;
}

const options: Record<string, Option> = {
	port: {
		value: 'N',
		does: 'TCP port on 127.0.0.1 (default any free one)',
		apply: (to, text) => (to.port = readNumber(text, { whole: true, max: 65_535 })),
	},
	sites: {
		value: 'N',
		does: 'number of sites of a new fleet (default 250)',
		apply: (to, text) => (to.sites = readNumber(text, { whole: true, max: 100_000 })),
	},
	seed: {
		value: 'N',
		does: 'seed of a new fleet: the same one gives the same fleet (default 1)',
		apply: (to, text) => (to.seed = readNumber(text, { whole: true, max: 2 ** 31 })),
	},
	speed: {
		value: 'N',
		does: "how many times as fast as real time the service's time passes (default 1); the rate limit stays in real time",
		apply: (to, text) => (to.speed = readNumber(text, { min: 0.01, max: 10_000 })),
	},
	data: {
		value: 'FOLDER',
		does: 'keeps the fleet in this folder from one start to the next, with all that was answered even when the service is killed (default: nothing is kept)',
		apply: (to, text) => (to.data = text),
	},
	token: {
		value: 'TEXT',
		does: 'the API token (default sandbox-token)',
		apply: (to, text) => (to.token = text),
	},
	'rate-limit': {
		value: 'N',
		does: 'requests per minute (default 200)',
		apply: (to, text) => (to.rateLimit = { limit: readNumber(text, { whole: true, min: 1 }) }),
	},
	'plan-without': {
		value: 'FEATURE,…',
		does: planUsage.without,
		apply: (to, text) => (to.settings = { ...to.settings, ...parseFeatures(text) }),
	},
	'plan-limits': {
		value: 'LIMIT=N,…',
		does: planUsage.limits,
		apply: (to, text) => (to.settings = { ...to.settings, ...parseLimits(text) }),
	},
	profile: {
		value: 'FILE',
		does: 'answers as another service does, by what npm run check:live -- --out FILE wrote of it: its nulls, words, extra and missing fields, latencies (by --speed) and forms of errors. sandbox/service/profiles/part-c.json has what is publicly known of the running service',
		apply: (to, text) => (to.profile = readProfile(text)),
	},
	still: {
		does: 'nothing begins by itself (default: syncs, tasks, outages, findings … keep happening); what was asked for or is scheduled still takes its course: tasks and syncs end, auto-updates and scheduled reports run, mails are delivered, senders confirmed, sites come up again, staging sites expire',
		apply: (to) => (to.living = false),
	},
	json: {
		does: 'print one line {"baseUrl", "token"} once the service is ready',
		apply: () => {},
	},
	help: { does: 'show this text', apply: () => {} },
};

const faultOptions: Record<string, Option> = {
	...Object.fromEntries(
		Object.entries(faults).map(([name, { does, usage, parse }]): [string, Option] => [
			name.replaceAll('_', '-'),
			{
				...(usage && { value: usage }),
				does,
				apply: (to, text) => (to.faults = { ...to.faults, [name]: parse(text) } as Faults),
			},
		]),
	),
	drift: {
		value: '[RATE]',
		does: `as --harmless for this share of the answers (default ${DRIFT_RATE}): try workflows on a service that is not quite as its reference says`,
		apply: (to, text) =>
			(to.faults = { ...to.faults, harmless: { rate: readNumber(text, { min: 0, max: 1 }) } }),
	},
	'clock-offset': {
		value: 'MS',
		does: "the service's time is so many milliseconds ahead of the machine's, or with a minus behind it",
		apply: (to, text) => (to.clockOffset = readNumber(text, { whole: true, min: -(10 ** 12) })),
	},
	'nulls-highest': {
		does: 'records without the value that a list is sorted by come first in descending order, and last in ascending order (default: the other way round)',
		apply: (to) => (to.settings = { ...to.settings, nullsAreHighest: true }),
	},
};

const every = { ...options, ...faultOptions };

const describe = (each: Record<string, Option>) =>
	Object.entries(each)
		.map(([name, { value, does }]) => `  --${value ? `${name} ${value}` : name}\n      ${does}`)
		.join('\n');

const help = `Starts the Site Management Service sandbox alone.

Usage: npm run service -- [options]

${describe(options)}

Faults (also through POST /_sandbox/faults; GET /_sandbox tells all controls):

${describe(faultOptions)}

${occurrenceUsage}.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		args: withRate(process.argv.slice(2)),
		options: Object.fromEntries(
			Object.entries(every).map(([name, { value }]) => [
				name,
				{ type: value ? ('string' as const) : ('boolean' as const) },
			]),
		),
	});
	if (values.help) {
		process.stdout.write(help);
		return;
	}
	const chosen: ServiceOptions = { living: true };
	for (const [name, value] of Object.entries(values)) {
		try {
			every[name]!.apply(chosen, String(value));
		} catch (error) {
			throw new RangeError(`--${name}: ${(error as Error).message}`);
		}
	}
	const service = await startService(chosen);
	let stopping: Promise<void> | undefined;
	onStop(() => void (stopping ??= service.close()));

	const { baseUrl, pageUrl, token } = service;
	console.log(
		values.json
			? JSON.stringify({ baseUrl, token })
			: `Site Management Service sandbox\n  page       ${pageUrl}\n  base URL   ${baseUrl}\n  API token  ${token}\n  controls   ${new URL('/_sandbox', baseUrl).href}`,
	);
}

main().catch((error: Error) => {
	console.error(`${error.message}\nUsage: npm run service -- [options], see --help`);
	process.exitCode = 1;
});
