import type { IDataObject } from 'n8n-workflow';
import { effectTexts } from '../shared/access/effects';
import type { Account } from '../shared/input/credential';
import type { Settings } from '../shared/input/field';
import { naming, refuse } from '../shared/input/refusal';
import { readInput } from '../shared/input/request';
import type { Operation, Resource, Route } from '../shared/operation';
import { fillPath, partsOf } from '../shared/operation';
import type { Known } from './underLimits';
import { judged, shownOf } from './underLimits';
import { fallbackName, fileItem } from '../shared/receive/file';
import { secretsIn } from '../shared/receive/secrets';
import type { ApiRequest, ItemContext } from '../shared/n8n/context';
import { download } from '../shared/client/download';
import { countingFor } from '../shared/run/forModel';
import { listItems } from '../shared/run/listItems';
import { listUpTo } from '../shared/client/paging';
import { previewOf } from '../shared/run/preview';
import { accountOf, read, shownAt } from '../shared/client/request';
import type { Item } from '../shared/receive/output';
import type { Run } from '../shared/run/run';
import type { ItemsOf, ItemWork } from '../shared/run/progress';
import { watched } from '../shared/run/progress';
import { whereToVerify } from '../shared/operation/whereToVerify';
import type { AnyRequest } from './requestFields';
import { anyRequestFields, anyRequestIn } from './requestFields';
import { anyPage, anyRecord } from './anyAnswer';

/** What a node that sends any request goes by. */
interface Tables {
	own: Resource;
	known: Resource[];
}

/** Gives the output of an item that sends whatever method and path its parameters say. */
export const anyRequestItems =
	(own: Resource, known: Resource[]): ItemsOf =>
	async (context, run, work) =>
		await itemsOf(context, run, { own, known }, work);

/** The output of an item. */
async function itemsOf(
	context: ItemContext,
	run: Run,
	tables: Tables,
	{ options, progress, room }: ItemWork,
): Promise<Item[]> {
	// Until it is read, an expression may be any method.
	progress.isChange = (context.getNode().parameters.method ?? 'GET') !== 'GET';
	const { asked, settings } = run.enter(context, inputOf);
	const { method, path, query, body, response, max } = asked;
	progress.isChange = method !== 'GET';
	progress.secrets = [...secretsIn(query), ...secretsIn(body)];
	const same = knownAs(tables, asked);
	const prepare = async (): Promise<ApiRequest> => {
		const account = await accountOf(context);
		checkBase(context, account, path);
		const does = await judged(context, account.limits, same, asked);
		const look = same ? lookAt(tables, same) : path;
		const filled: ApiRequest = {
			...(options as Partial<ApiRequest>),
			method,
			url: path,
			qs: query as IDataObject,
			body,
			verifyAt: look,
			does,
		};
		progress.verifyAt = look;
		filled.around = watched(context, run, progress, filled);
		return filled;
	};
	if (settings.preview === true) {
		return [{ json: await previewed(context, tables, same, asked, await prepare()) }];
	}
	if (response === 'file') {
		return [await run.downloads.run(async () => await fileOf(context, await prepare(), settings))];
	}
	if (response === 'records') {
		const { count, isFull } = countingFor(room);
		const filled = await prepare();
		const paging: Parameters<typeof listUpTo>[2] = {
			max,
			shape: count,
			isFull,
			keep: await shownAt(context, path),
			pageIn: (answer, page) =>
				anyPage(answer, page, max !== undefined && max <= page.perPage ? Infinity : undefined),
		};
		return listItems(context, await listUpTo(context, filled, paging));
	}
	const send = async () =>
		await read(context, await prepare(), async (answer, { only }) => {
			const record = anyRecord(answer);
			return only ? await shownOf(context, path, record) : record;
		});
	const json = progress.isChange
		? await run.inOrder(context, () => JSON.stringify(asked), send)
		: await send();
	return json ? [{ json }] : [];
}

type OfItem = Parameters<Parameters<Run['enter']>[1]>[0];

/** @throws NodeOperationError that names the parameter which cannot be used */
function inputOf(item: OfItem): { asked: AnyRequest; settings: Settings } {
	const { settings } = readInput(item, anyRequestFields);
	const { clash, ...asked } = anyRequestIn(settings);
	if (clash) naming(item, clash.displayName, () => refuse(clash.problem));
	return { asked, settings };
}

/** What documentation shows of a request often begins with the path of the base. */
function checkBase(context: ItemContext, { base }: Account, path: string): void {
	const below = base.pathname.replace(/\/+$/, '');
	if (below === '' || !`${path}/`.startsWith(`${below}/`)) return;
	naming(context, 'Path', () =>
		refuse(`starts with ${below}, which is already in the Base URL of the credential. Remove it`),
	);
}

/** The operation of another node that sends the same request; a route with fewer ids is nearer. */
function knownAs({ known }: Tables, { method, path }: AnyRequest): Known | undefined {
	const given = path.split('/').map(decodeURIComponent);
	const found = known.flatMap((resource) =>
		resource.operations.flatMap((operation): Known[] => {
			if (operation.composed) return [];
			const { method: verb, template } = partsOf(operation.route);
			const ids = verb === method ? idsIn(template.split('/'), given) : undefined;
			return ids ? [{ resource, operation, ids }] : [];
		}),
	);
	const count = ({ ids }: Known) => Object.keys(ids).length;
	return found.sort((a, b) => count(a) - count(b))[0];
}

/** The ids that a path has where a route has them; undefined where it is of another route. */
function idsIn(template: string[], given: string[]): Record<string, string> | undefined {
	const isSame = (part: string, index: number) =>
		part.startsWith('{') || part === given[index]?.toLowerCase();
	if (template.length !== given.length || !template.every(isSame)) return undefined;
	const ids = template.flatMap((part, index) =>
		part.startsWith('{') ? [[part.slice(1, -1), given[index]!] as const] : [],
	);
	return Object.fromEntries(ids);
}

function lookAt({ known }: Tables, { operation, ids }: Known): string {
	const { path, label } = whereToVerify(known, operation);
	return `${fillPath(path, ids)} (${label})`;
}

/** What would be sent, refused as it would be; where another node can send it, that is named, and its records. */
async function previewed(
	context: ItemContext,
	{ own }: Tables,
	same: Known | undefined,
	{ method, path }: AnyRequest,
	filled: ApiRequest,
): Promise<IDataObject> {
	const [send] = own.operations as [Operation];
	const { resource, operation, ids } = same ?? {
		resource: own,
		operation: { ...send, route: `${method} ${path}` as Route },
		ids: {},
	};
	return {
		...(await previewOf(context, resource, operation, filled, ids)),
		does: filled.does?.effects?.map((each) => effectTexts[each].name) ?? [UNKNOWN],
	};
}

/** What is said of a request that no operation is for. */
const UNKNOWN = 'Unknown: a credential with limits must name it under "Also Allowed"';

/** The answer as a file, named by the end of the path where the service gives no name. */
async function fileOf(context: ItemContext, filled: ApiRequest, settings: Settings): Promise<Item> {
	const file = { name: 'answer' };
	const answer = await download(context, filled, file);
	const path = decodeURIComponent(filled.url);
	return await fileItem(
		context,
		answer,
		{ path },
		{ settings, fallback: fallbackName(file, path) },
	);
}
