import type { IDataObject } from 'n8n-workflow';
import { fits, isAlsoAllowed } from '../shared/access/deed';
import { isLimited, type Limits } from '../shared/access/credential';
import type { Does } from '../shared/access/effects';
import { type Field, fieldsOf, groupOf, wireName } from '../shared/input/field';
import { naming, refuse, shown } from '../shared/input/refusal';
import { isRecord, mapValues } from '../shared/lib';
import type { ItemContext } from '../shared/n8n/context';
import type { Operation, Resource } from '../shared/operation';
import { effectsOf, fillPath, fullName, partsOf } from '../shared/operation';
import { allowedSites, requireShown, shownAt } from '../shared/client/allowed';
import type { AnyRequest } from './requestFields';

/** With limits, a request must have the exact form of a known operation. */

/** An operation, and the IDs of its route in the path. */
export interface Known {
	resource: Resource;
	operation: Operation;
	ids: Record<string, string>;
}

/** Reads beyond the reference: of the sites in `site_ids`, and below a site. Source: Part D. */
const OF_SITES = ['wordpress-core', 'plugins', 'themes', 'users'];
const DETECTIONS = ['summary', 'files', 'scripts', 'plugins', 'cron-jobs', 'redirections'];
const BEYOND = [
	...OF_SITES.map((kind) => `GET /sites/wp/${kind}`),
	...DETECTIONS.map((kind) => `GET /sites/{siteId}/security/scanner/detections/${kind}`),
];

/** Routes of reads that may hand out access, such as `GET /users/{id}/sso-login-url`. */
const GIVES_ACCESS =
	/log-?in|sign-?in|auth|token|passw|secret|credential|invit|session|key|\b(sso|2fa|otp)\b/i;

const PAGING = ['page', 'perPage', 'sort', 'timezone', 'filters'];

/** Query parameters of the reads beyond the reference. */
const OF_BEYOND = ['site_ids', 'include_vulnerabilities'];

const isScalar = (value: unknown) => value === null || typeof value !== 'object';

const isFlat = (value: unknown) => (Array.isArray(value) ? value.every(isScalar) : isScalar(value));

const isOddFilter = ([key, value]: [string, unknown]) => !/^[\w:]+$/.test(key) || !isFlat(value);

/** The first place of a query that is not in the form of a read. */
function oddInQuery(query: IDataObject, operation?: Operation): string | undefined {
	const own = operation ? fieldsIn(operation).flatMap(({ target }) => target?.property ?? []) : [];
	const known = [...PAGING, ...(operation ? own : OF_BEYOND)];
	const isOdd = ([key, value]: [string, unknown]) => {
		if (key === 'filters' && isRecord(value)) return Object.entries(value).some(isOddFilter);
		return !isFlat(value) || (!known.includes(key) && !/^filters\[[\w:]+\]$/.test(key));
	};
	return Object.entries(query).find(isOdd)?.[0];
}

/** All fields of an operation, also those of its collections. */
const fieldsIn = ({ fields }: Operation): Field[] =>
	fields.flatMap((field) => [field, ...fieldsOf(field)]);

/** Allowed at a place of a body: a boolean, a value or a list of values, or any JSON. */
type Places = Map<string, 'boolean' | 'value' | 'json'>;

/** Names that could choose records. They are refused even where any JSON is allowed. */
const TELLS = /^_*(ids?|selection|destination_?url|(all_?)?sites?_?(ids?|access)?)$/i;

function placesOf(operation: Operation): Places {
	const places: Places = new Map();
	for (const field of fieldsIn(operation)) {
		const { target } = field;
		if (!target || target.type === 'path' || target.type === 'query') continue;
		const { property } = target;
		if (target.type === 'clear') {
			for (const path of Object.keys(target.empty)) places.set(`${property}.${path}`, 'value');
		} else if (field.type === 'fixedCollection' && !field.typeOptions?.multipleValues) {
			for (const each of groupOf(field).values) {
				places.set(`${property}.${each.wire ?? wireName(each.name)}`, 'value');
			}
		} else {
			const isOpen = target.type === 'merge' || ['json', 'fixedCollection'].includes(field.type);
			const kind = field.type === 'boolean' ? 'boolean' : 'value';
			places.set(property, isOpen ? 'json' : kind);
		}
	}
	return places;
}

/** The first place of a body that the operation does not send in this form. */
function oddInBody(body: unknown, operation: Operation): string | undefined {
	const places = placesOf(operation);
	const find = (value: unknown, place: string, isOpen: boolean): string | undefined => {
		const kind = places.get(place);
		const isAny = isOpen || kind === 'json';
		if (isAny ? isScalar(value) : kind === 'value' && isFlat(value)) return undefined;
		if (kind === 'boolean' && typeof value === 'boolean') return undefined;
		if (!isAny && !isRecord(value)) return place;
		for (const [key, below] of Object.entries(value ?? {})) {
			const inner = place ? `${place}.${key}` : key;
			// A dot or a bracket could be read as a place of its own, and an object of numbers as a list.
			const isName = Array.isArray(value) || /^(?!\d+$)\w+$/.test(key);
			const isOdd = !isName || (isAny && TELLS.test(key));
			const odd = isOdd ? inner : find(below, inner, isAny);
			if (odd !== undefined) return odd;
		}
		return undefined;
	};
	return find(body, '', false);
}

/** The first place of a request that is not in the form of its operation, and the parameter that has it. */
function oddIn({ method, query, body }: AnyRequest, operation?: Operation) {
	const isRead = method === 'GET';
	const inQuery = isRead ? oddInQuery(query, operation) : Object.keys(query)[0];
	if (inQuery !== undefined) return { of: 'Query', place: inQuery };
	const inBody = isRead ? undefined : oddInBody(body, operation!);
	return inBody === undefined ? undefined : { of: 'Body', place: inBody };
}

/** The effects of a request. With limits it has the exact form of an operation, or the credential names it. */
export async function judged(
	context: ItemContext,
	limits: Limits,
	found: Known | undefined,
	asked: AnyRequest,
): Promise<Does> {
	const { method, path, query, body, response } = asked;
	const isFree = !isLimited(limits);
	const same = isFree || isExact(found, path) ? found : undefined;
	const route = `${method} ${path}`;
	// Below this no path names a site.
	const isOfSites = !same && path.startsWith('/sites/wp/');
	const touches = same?.operation.touches ?? (isOfSites ? 'noSite' : {});
	const isStrangeRead =
		!found && method === 'GET' && !limits.only && asked.route?.search(GIVES_ACCESS) === -1;
	const isRead = isStrangeRead || BEYOND.some((each) => fits(each, route));
	const known = same ? effectsOf(same.operation, body) : undefined;
	const effects = known ?? (isRead ? (['reads'] as const) : undefined);
	const replacesLists = found?.operation.replacesLists;
	if (isFree || !effects) return { effects, touches, replacesLists };

	// The document has checked the form of a read that no node has.
	const odd = isStrangeRead ? undefined : oddIn(asked, same?.operation);
	if (isAlsoAllowed(limits, method, path)) {
		return { touches, replacesLists, ...(!odd && { effects }) };
	}
	const cannot = `With ${limits.by}, which has limits, it cannot be checked`;
	const refuseIn = (parameter: string, why: string) =>
		naming(context, parameter, () => refuse(`${why}. ${cannot}`));
	if (odd) {
		const what = same ? fullName(same.resource, same.operation) : route;
		const where = shown(odd.place || 'a list');
		refuseIn(odd.of, `contains ${where}, which ${what} does not have in this form`);
	}
	if (response === 'file' && same?.operation.answer.kind !== 'file') {
		refuseIn('Response', 'is "File", but the response is not a file');
	}
	if (isOfSites) await limitToAllowed(context, query);
	return { effects, touches, replacesLists };
}

/** Whether a path is written as its operation writes it. */
const isExact = (found: Known | undefined, path: string) =>
	found !== undefined && fillPath(partsOf(found.operation.route).template, found.ids) === path;

/** Requests only the allowed sites, if the credential does not allow all. */
async function limitToAllowed(context: ItemContext, query: IDataObject): Promise<void> {
	const allowed = await allowedSites(context);
	if (!allowed) return;
	const { site_ids: given = [...allowed] } = query;
	const ids = [given].flat().map(String);
	const other = ids.find((id) => !allowed.has(id.toLowerCase()));
	naming(context, 'Query', () => {
		if (other !== undefined)
			refuse(`contains the site ${shown(other)}, which is not in the Only Sites of the credential`);
		// Without any the service would take all.
		if (ids.length === 0) refuse('is for no site: no site has a tag of Only Tags');
	});
	query.site_ids = ids;
}

/** An answer without the records of other sites. @throws NodeOperationError where it is one itself */
export async function shownOf(context: ItemContext, path: string, answer: IDataObject) {
	const isShown = await shownAt(context, path);
	if (!isShown) return answer;
	const records = Object.values(answer).filter((each) => isRecord(each) && 'id' in each);
	await requireShown(context, path, answer.id === undefined ? records.filter(isRecord) : [answer]);
	const limited = (value: IDataObject[string]) =>
		Array.isArray(value)
			? value.filter((each: unknown) => !isRecord(each) || isShown(each))
			: value;
	return mapValues(answer, limited);
}
