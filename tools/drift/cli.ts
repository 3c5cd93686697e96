import { UserError } from '../../sandbox/lib/errors';
import { argumentsIn, printable, reasonOf } from '../commandLine';
import { compare } from './compare';
import { checkIsOurs, readDocument } from './openapi';
import { PIN_FILE, pinLine } from './pinned';
import { asText } from './report';
import { nodeOperations } from './sent';
import { readSource } from './source';

const TOKEN_VARIABLE = 'SITE_MANAGEMENT_API_TOKEN';

const help = `Holds the nodes against an OpenAPI document of the service.

Usage: npm run check -- api <file or URL> [options]

  --pin
      store version, SHA-256 and date of the document in tools/drift/document.json, when the nodes are up to it
  --help
      show this text

A URL gets the API token of the environment variable ${TOKEN_VARIABLE}, if it is set. No other host gets it.
The exit code is 0 without drift, 1 with drift, and 2 if the document cannot be read.
`;

/** What a call prints, and its exit status. */
export interface Outcome {
	status: 0 | 1 | 2;
	text: string;
}

/** @param args of the command line */
export async function checkApi(
	args: string[],
	environment = process.env,
	pinFile = PIN_FILE,
): Promise<Outcome> {
	try {
		const { status, text } = await checked(args, environment, pinFile);
		return { status, text: printable(text) };
	} catch (error) {
		return { status: 2, text: printable(reasonOf(error as Error)) };
	}
}

const USAGE = 'Usage: npm run check -- api <file or URL>, see --help';

async function checked(
	args: string[],
	environment: NodeJS.ProcessEnv,
	pinFile: string,
): Promise<Outcome> {
	const options = { pin: { type: 'boolean', default: false }, help: { type: 'boolean' } } as const;
	const { values, positionals } = argumentsIn({ args, options, allowPositionals: true }, USAGE);
	if (values.help) return { status: 0, text: help };
	const [source, ...more] = positionals;
	if (source === undefined || more.length > 0) {
		throw new UserError(`Give one file or URL.\n${USAGE}`);
	}
	const text = await readSource(source, environment[TOKEN_VARIABLE]);
	const document = await readDocument(text, 'The document');
	const nodes = nodeOperations();
	const comparison = compare(nodes, document);
	checkIsOurs(document, comparison.operations, nodes.length);
	const pinned = pinLine(text, document.version, values.pin, pinFile);
	const report = { ...comparison, document: { ...document, pinned }, total: nodes.length };
	return { status: comparison.findings.length > 0 ? 1 : 0, text: asText(report) };
}
