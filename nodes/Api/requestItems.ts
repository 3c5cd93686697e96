import type { IDataObject } from 'n8n-workflow';
import { effectTexts } from '../shared/access/effects';
import type { Account } from '../shared/client/request';
import type { Settings } from '../shared/input/field';
import { naming, refuse } from '../shared/input/refusal';
import { omit } from '../shared/lib';
import type { Resource, Route } from '../shared/operation';
import { fillPath, partsOf, whereToVerify } from '../shared/operation';
import type { Known } from './underLimits';
import { judged, shownOf } from './underLimits';
import { fallbackName, fileItem } from '../shared/receive/file';
import { secretsIn } from '../shared/receive/output';
import type { ApiRequest, ItemContext } from '../shared/n8n/context';
import { countingFor, listItems } from '../shared/run/outputItems';
import { listUpTo } from '../shared/client/records';
import { previewOf } from '../shared/run/preview';
import { accountOf, download, read } from '../shared/client/request';
import { shownAt } from '../shared/client/allowed';
import type { Item } from '../shared/receive/output';
import type { Run } from '../shared/run/run';
import type { ItemsOf, ItemWork } from '../shared/run/itemRequest';
import { watched } from '../shared/run/itemRequest';
import type { AnyRequest } from './requestFields';
import { anyRequestOf } from './requestFields';
import { anyPage, anyRecord } from './anyAnswer';

/** The output of an item that sends the method and path of its parameters. */
export const anyRequestItems =
	(own: Resource, known: Resource[]): ItemsOf =>
	async (context, run, work) => {
		const { progress, room } = work;
		// An expression may be any method until it is evaluated.
		progress.isChange = (context.getNode().parameters.method ?? 'GET') !== 'GET';
		const asked = run.enter(context, anyRequestOf);
		const { path, query, body, response, settings } = asked;
		progress.isChange = asked.method !== 'GET';
		progress.secrets = [...secretsIn(query), ...secretsIn(body)];
		const same = knownAs(known, asked);
		const prepare = async () => await prepared(context, run, work, asked, { known, same });
		if (settings.preview === true) {
			return [{ json: await previewed(context, own, same, asked, await prepare()) }];
		}
		if (response === 'file') {
			return [
				await run.downloads.run(async () => await fileOf(context, await prepare(), settings)),
			];
		}
		if (response === 'records') return await recordItems(context, asked, await prepare(), room);
		const send = async () =>
			await read(context, await prepare(), async (answer, { only }) => {
				const record = anyRecord(answer);
				return only ? await shownOf(context, path, record) : record;
			});
		const json = progress.isChange
			? await run.inOrder(context, () => JSON.stringify(omit(asked, 'settings')), send)
			: await send();
		return json ? [{ json }] : [];
	};

/** The request to send. Refuses what the credential does not allow. */
async function prepared(
	context: ItemContext,
	run: Run,
	{ options, progress }: ItemWork,
	asked: AnyRequest,
	{ known, same }: { known: Resource[]; same?: Known },
): Promise<ApiRequest> {
	const { method, path, query, body } = asked;
	const account = await accountOf(context);
	checkBase(context, account, path);
	const does = await judged(context, account.limits, same, asked);
	const verifyAt = same ? lookAt(known, same) : path;
	const filled: ApiRequest = {
		...(options as Partial<ApiRequest>),
		method,
		url: path,
		qs: query,
		body,
		verifyAt,
		does,
	};
	progress.verifyAt = verifyAt;
	filled.around = watched(context, run, progress, filled);
	return filled;
}

/** The records of a list, page by page. */
async function recordItems(
	context: ItemContext,
	{ path, max }: AnyRequest,
	filled: ApiRequest,
	room?: number,
): Promise<Item[]> {
	const { count, isFull } = countingFor(room);
	const list = await listUpTo(context, filled, {
		max,
		shape: count,
		isFull,
		keep: await shownAt(context, path),
		pageIn: (answer, page) => {
			const isEnough = max !== undefined && max <= page.perPage;
			return anyPage(answer, page, isEnough ? Infinity : undefined);
		},
	});
	return listItems(context, list);
}

/** Documentation often shows paths with the path of the Base URL. */
function checkBase(context: ItemContext, { base }: Account, path: string): void {
	const below = base.pathname.replace(/\/+$/, '');
	if (below === '' || !`${path}/`.startsWith(`${below}/`)) return;
	naming(context, 'Path', () =>
		refuse(`starts with ${below}, which is already in the Base URL of the credential. Remove it`),
	);
}

/** The operation of another node that sends this request. A route with fewer IDs fits better. */
function knownAs(known: Resource[], { method, path }: AnyRequest): Known | undefined {
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

/** The IDs in a path of this route; undefined for another route. */
function idsIn(template: string[], given: string[]): Record<string, string> | undefined {
	const isSame = (part: string, index: number) =>
		part.startsWith('{') || part === given[index]?.toLowerCase();
	if (template.length !== given.length || !template.every(isSame)) return undefined;
	const ids = template.flatMap((part, index) =>
		part.startsWith('{') ? [[part.slice(1, -1), given[index]!] as const] : [],
	);
	return Object.fromEntries(ids);
}

function lookAt(known: Resource[], { operation, ids }: Known): string {
	const { path, label } = whereToVerify(known, operation);
	return `${fillPath(path, ids)} (${label})`;
}

/** The preview of a request, refused like the request itself. A known operation is named. */
async function previewed(
	context: ItemContext,
	own: Resource,
	same: Known | undefined,
	{ method, path }: AnyRequest,
	filled: ApiRequest,
): Promise<IDataObject> {
	const { resource, operation, ids } = same ?? {
		resource: own,
		operation: { ...own.operations[0]!, route: `${method} ${path}` as Route },
		ids: {},
	};
	return {
		...(await previewOf(context, resource, operation, filled, ids)),
		does: filled.does?.effects?.map((each) => effectTexts[each].name) ?? [UNKNOWN],
	};
}

/** The effect of an unknown request. */
const UNKNOWN = 'Unknown: a credential with limits must name it under "Also Allowed"';

/** The answer as a file, named after the path unless the service names it. */
async function fileOf(context: ItemContext, filled: ApiRequest, settings: Settings): Promise<Item> {
	const answer = await download(context, filled);
	const path = decodeURIComponent(filled.url);
	const fallback = fallbackName({ name: 'answer' }, path);
	return await fileItem(context, answer, { path }, { settings, fallback });
}
