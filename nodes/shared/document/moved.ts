import { NodeApiError } from 'n8n-workflow';
import type { CallContext } from '../n8n/context';
import type { ApiDocument } from './openapi';
import { documentOf, keptDocument } from './read';

/** Operations that the service no longer has where a node sends them. */

/** Names of IDs do not matter: `GET /tags/{}`. */
const anyId = (route: string) => route.replace(/\{[^}]*\}/g, '{}');

/** The method, the last word of a path and the number of its IDs: `/sites/{}/sync` may move to `/sites/{}/backups/sync`. */
export function endOf(route: string): string {
	const [method, path = ''] = route.split(' ');
	const parts = path.split('/');
	const words = parts.filter((part) => part !== '{}');
	return [method, words.at(-1), parts.length - words.length, parts.at(-1) === '{}'].join(' ');
}

/** `POST /tags/{}/update` is `PUT /tags/{}` in other styles. */
export function otherForms(route: string): string[] {
	const [, path, verb] = /^POST (.*)\/(update|delete)$/.exec(route) ?? [];
	if (verb === undefined) return [];
	return (verb === 'update' ? ['PUT', 'PATCH'] : ['DELETE']).map((method) => `${method} ${path}`);
}

/** The route by which a document has an operation now; undefined if it has it unchanged, or not for sure. */
export function movedTo({ operations }: ApiDocument, route: string): string | undefined {
	const wanted = anyId(route);
	const all = operations.map((each) => ({ shown: each.route, is: anyId(each.route) }));
	if (all.some(({ is }) => is === wanted)) return undefined;
	const found = [
		all.filter(({ is }) => otherForms(wanted).includes(is)),
		all.filter(({ is }) => is.split(' ')[1] === wanted.split(' ')[1]),
		all.filter(({ is }) => endOf(is) === endOf(wanted)),
	].find(({ length }) => length > 0);
	return found?.length === 1 ? found[0]!.shown : undefined;
}

/** Says in an error where the API document has the operation now. @throws the error */
export async function sayingMoved(
	context: CallContext,
	route: string,
	error: unknown,
): Promise<never> {
	if (!(error instanceof NodeApiError) || !/^40[45]$/.test(String(error.httpCode))) throw error;
	// A missing record is more usual than a missing path: do not read the document for it.
	const isOfPath = error.httpCode === '405' || !route.includes('{');
	const reading = isOfPath ? documentOf(context).catch(() => undefined) : keptDocument(context);
	const document = await reading;
	const now = document && movedTo(document, route);
	if (now) {
		error.message += `. The API document of the service has this operation as ${now}`;
		error.description =
			`Use Any Operation of the node Site Management API, or install a newer version of this package. ${error.description ?? ''}`.trim();
	}
	throw error;
}
