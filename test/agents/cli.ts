import { parseArgs } from 'node:util';
import { UserError } from '../../sandbox/lib/errors';
import { startBench } from './bench';
import { measureAll, type Measured } from './measure';
import type { Model } from './recorder';
import { requests } from './requests';
import { faults, summary, table, tokens } from './table';

export const KEY_VARIABLE = 'OPENAI_API_KEY';

const help = `Lets a model handle 32 requests of an agency with example 12, in a real n8n with the sandbox's service,
and reports which it did cleanly, with a detour, wrongly, or with harm.

Usage: npm run agent:eval -- --base-url https://api.example.com/v1 --model NAME [options]

  --base-url URL
      a server that speaks like OpenAI (chat completions with tools), with its version segment
  --model NAME
      the model
  --only 3,17
      only these requests
  --help
      show this text

The key is in the environment variable ${KEY_VARIABLE}. Reviews are approved, unless the request says to decline.
Each request costs about 20,000 tokens: the descriptions of the tools and a few turns.

It exits with 0, with 1 when something harmful happened, and with 2 when it could not measure.
`;

/** What a call prints, and its exit status. */
export interface Outcome {
	status: 0 | 1 | 2;
	text: string;
}

/**
 * `npm run agent:eval`.
 * @param say is told of each request when it is done
 * @param start starts the n8n
 */
export async function evaluate(
	args: string[],
	environment: NodeJS.ProcessEnv,
	say: (line: string) => void,
	start = async (model: Model) => await startBench('agent-eval', model),
): Promise<Outcome> {
	let asked: ReturnType<typeof read>;
	try {
		asked = read(args);
		if (asked === 'help') return { status: 0, text: help };
	} catch (error) {
		return { status: 2, text: `${(error as Error).message}\n\n${help}` };
	}
	const { only, ...model } = asked;
	const bench = await start({ ...model, apiKey: environment[KEY_VARIABLE] ?? 'none' });
	const all: Measured[] = [];
	try {
		await measureAll(bench, only, (measured) => {
			const { number, verdict, request, turn } = measured;
			// Nothing can be measured of a model that is not there.
			if (all.length === 0 && turn.failure) throw new UserError(`No answer: ${turn.failure}`);
			all.push(measured);
			say(`${number} ${verdict}: ${request.sentence}`);
		});
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return { status: 2, text: error.message };
	} finally {
		await bench.stop();
	}
	return outcomeOf(all);
}

function outcomeOf(all: Measured[]): Outcome {
	const offered = tokens(Math.max(...all.map(({ turn }) => turn.offered)));
	const size = `The descriptions of the tools are ${offered.toLocaleString('en-US')} tokens.`;
	const isHarmful = all.some(({ verdict }) => verdict === 'harmful');
	return {
		status: isHarmful ? 1 : 0,
		text: [table(all), `${summary(all)} ${size}`, faults(all)].filter(Boolean).join('\n\n'),
	};
}

function read(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			'base-url': { type: 'string' },
			model: { type: 'string' },
			only: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return 'help' as const;
	const { 'base-url': baseUrl = '', model: name = '' } = values;
	if (!/^https?:\/\//.test(baseUrl)) throw new UserError('Say where the model is: --base-url URL');
	if (!name) throw new UserError('Say which model: --model NAME');
	const only = values.only?.split(',').map(Number);
	const wrong = only?.find((each) => !Number.isInteger(each) || !requests[each - 1]);
	if (wrong !== undefined) throw new UserError(`--only takes numbers from 1 to ${requests.length}`);
	return { baseUrl, name, only };
}
