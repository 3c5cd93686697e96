import { nearest } from '../../test/support/reference';
import type { Finding, Notes, Place } from './compareValue';
import { added, changed, compareValue, deprecated, notTaken } from './compareValue';
import { nowRequired, shown, TELL_GONE } from './compareValue';
import type { ApiDocument, ApiOperation, Content, Parameter, Success } from './openapi';
import { paired, withoutPrefix } from './pairs';
import { describedBy } from './schema';
import type { NodeOperation } from './sent';
import type { Value } from './value';
import { WordFinder, type Proposal } from './words';

/** What a comparison of the nodes with a document came to. */
export interface Comparison {
	findings: Finding[];
	/** How many of the operations of the nodes the document has, and how many things of them were compared. */
	operations: number;
	compared: number;
	/** What the document says nothing of, as `Tag: Create, body tag.color`. */
	undescribed: string[];
	/** What it has in the place of the words of the reference that are stand-ins. */
	words: Proposal;
}

export function compare(nodes: NodeOperation[], document: ApiDocument): Comparison {
	const finder = new WordFinder();
	const result = { findings: [], operations: 0, compared: 0, undescribed: [] } as Omit<
		Comparison,
		'words'
	>;
	const there = withoutPrefix(nodes, document.operations);
	const pairs = paired(nodes, there);
	for (const [node, api] of pairs) {
		if (!api) {
			result.findings.push({
				...where(node),
				change: 'gone there',
				place: '',
				difference: `there is no ${node.route} any more`,
				todo: `Ask the service what takes its place. ${TELL_GONE}`,
			});
			continue;
		}
		result.operations += 1;
		result.compared += 1;
		comparePair(node, api, notesOf(node, document, result, finder));
	}
	const known = new Set([...pairs.values()].filter((api) => api !== undefined));
	result.findings.push(...wholeFindings(document, [...known]));
	for (const api of there) {
		// What goes soon need not come.
		if (!known.has(api) && !isDocument(api) && !api.isDeprecated)
			result.findings.push(missing(api, nodes));
	}
	return { ...result, words: finder.proposal() };
}

/** The version of the API reference. */
const VERSION = '6.0.0';

function wholeFindings(document: ApiDocument, known: ApiOperation[]): Finding[] {
	const whole = { change: 'changed', operation: 'All operations', place: '' } as const;
	const { version, servers } = document;
	const major = (text: string) => /\d+/.exec(text)?.[0];
	const findings: Finding[] = [];
	if (major(version) !== undefined && major(version) !== major(VERSION)) {
		findings.push({
			...whole,
			file: 'nodes/resources.ts',
			difference: `are of version ${version} there, and of ${VERSION} here`,
			todo: 'Ask the service how long this version remains available.',
		});
	}
	const versions = [...servers, ...known.map(({ shown: route }) => route)].flatMap(
		(text) => /\/v(\d+)(?=\/|$)/.exec(text)?.[1] ?? [],
	);
	if (versions.length > 0 && !versions.includes(major(VERSION)!)) {
		findings.push({
			...whole,
			file: 'credentials/SiteManagementApi.credentials.ts',
			difference: `are below /v${versions[0]} there, and below /v${major(VERSION)} here`,
			todo: 'Change the base URL in the credential and the docs once the nodes know that version.',
		});
	}
	return findings;
}

const where = ({ file, name }: NodeOperation) => ({ file, operation: name });

function notesOf(
	node: NodeOperation,
	{ follow }: ApiDocument,
	result: Omit<Comparison, 'words'>,
	finder: WordFinder,
): Notes {
	return {
		follow,
		add: (place, finding) =>
			void result.findings.push({ ...where(node), place: shown(place), ...finding }),
		compared: () => void (result.compared += 1),
		names: (missing, unknown) => finder.meet(missing, unknown),
		undescribed: (place) => void result.undescribed.push(`${node.name}, ${shown(place)}`),
	};
}

const UNTIL_THEN = 'Until then, use Any Operation of the node Site Management API.';

/** Requests that are for no workflow. */
const isDocument = ({ route }: ApiOperation) => /\/openapi\.(json|ya?ml)$/.test(route);

function missing(api: ApiOperation, nodes: NodeOperation[]): Finding {
	const near = nearest(api.route, nodes);
	return {
		change: 'missing here',
		file: near?.file ?? 'nodes/resources.ts',
		operation: `${api.id ?? 'An operation'} (${api.shown})`,
		place: '',
		difference: 'is new',
		todo: `Add it as CONTRIBUTING.md says under "An operation". ${UNTIL_THEN}`,
	};
}

function comparePair(node: NodeOperation, api: ApiOperation, notes: Notes): void {
	const whole: Place = { part: 'query', path: '' };
	if (node.route !== api.route) {
		const difference = `is ${api.shown} there, and ${node.route} here`;
		notes.add(whole, { change: 'moved', difference, todo: `Change its route. ${UNTIL_THEN}` });
	}
	if (api.isDeprecated) notes.add(whole, deprecated);
	compareQuery(node, api, notes);
	compareBody(node, api, notes);
	compareAnswer(node, api, notes);
}

function compareQuery({ query }: NodeOperation, api: ApiOperation, notes: Notes): void {
	// A `filters` parameter without fields says nothing of the filters.
	const isOpen = api.query.has('filters');
	for (const [key, value] of query) {
		const place: Place = { part: 'query', path: key };
		const there = api.query.get(key);
		if (there) compareParameter(value, there, place, notes);
		else if (isOpen && key.startsWith('filters[')) notes.undescribed(place);
		else notes.add(place, notTaken);
	}
	for (const [key, { isRequired }] of api.query) {
		if (query.has(key) || key === 'filters') continue;
		const todo = key.startsWith('filters[')
			? 'Add it as CONTRIBUTING.md says under "A filter".'
			: 'Add it to the operation.';
		notes.add({ part: 'query', path: key }, added(isRequired, todo));
	}
	for (const name of api.headers) {
		if (/^authorization$/i.test(name)) continue;
		notes.add(
			{ part: 'query', path: `header ${name}` },
			{ change: 'missing here', difference: 'is required', todo: 'Send it with the operation.' },
		);
	}
}

function compareParameter(
	value: Value,
	{ schema, isRequired, isList, isDeprecated }: Parameter,
	place: Place,
	notes: Notes,
): void {
	if (isRequired && !value.isAlways) notes.add(place, nowRequired);
	if (isDeprecated) notes.add(place, deprecated);
	const { types } = describedBy(schema, notes.follow);
	// `filters[status:in][]` may be described by its entries.
	const isEntry = isList && types !== undefined && !types.has('array');
	compareValue(isEntry ? (value.each ?? value) : value, schema, place, notes);
}

function compareBody({ body }: NodeOperation, { body: there }: ApiOperation, notes: Notes): void {
	const place: Place = { part: 'body', path: '' };
	if (!there) {
		const todo = 'Ask the service where its fields have gone.';
		if (body) notes.add(place, { ...notTaken, todo });
		return;
	}
	if (!body) {
		if (there.isRequired) notes.add(place, added(true, 'Add fields for it.'));
		return;
	}
	if (there.isRequired && !body.isAlways) {
		const difference = 'is required, where the nodes can send none';
		notes.add(place, changed(difference, 'Make one of its fields required.'));
	}
	compareContent(body, there, place, notes);
}

/** Compares what must be JSON. */
function compareContent(value: Value, there: Content, place: Place, notes: Notes): void {
	const { mediaTypes, isJson, schema } = there;
	if (!isJson && mediaTypes.length > 0) {
		const difference = `is ${mediaTypes.join(' or ')}, not JSON`;
		return notes.add(place, changed(difference, 'Change what the operation sends or takes.'));
	}
	compareValue(value, schema, place, notes);
}

/** A range of statuses, such as `2XX`, without a body: that may be any. */
const isUnsaid = ({ status, mediaTypes }: Success) =>
	!/^\d+$/.test(status) && mediaTypes.length === 0;

function compareAnswer(
	{ answer: { kind, value, mediaType = '' }, status }: NodeOperation,
	{ answers }: ApiOperation,
	notes: Notes,
): void {
	const place: Place = { part: 'answer', path: '' };
	const isFitting = ({ status }: Success) => (status === '204') === (kind === 'nothing');
	const there = answers.find(isFitting) ?? answers[0];
	if (!there || isUnsaid(there)) return notes.undescribed(place);
	const change = (difference: string) =>
		notes.add(place, changed(difference, 'Change what the operation takes as its answer.'));
	if (!isFitting(there)) {
		const [is, wanted] = [there.status, kind === 'nothing' ? 'an empty 204' : 'content'];
		return change(`has the status ${is}, where the nodes take ${wanted}`);
	}
	const statuses = answers.map((each) => each.status);
	if (statuses.every((each) => /^\d+$/.test(each)) && !statuses.includes(String(status))) {
		change(`has the status ${statuses.join(' or ')}, where the reference has ${status}`);
	}
	if (kind === 'json') return compareContent(value!, there, place, notes);
	notes.compared();
	if (kind === 'nothing') return;
	if (there.mediaTypes.length === 0) return notes.undescribed(place);
	const isFile = (type: string) =>
		mediaType ? type.startsWith(mediaType) || type.startsWith('*') : !/json|html/.test(type);
	if (!there.mediaTypes.some(isFile)) {
		change(`is ${there.mediaTypes.join(' or ')}, where the nodes take ${mediaType || 'a file'}`);
	}
}
