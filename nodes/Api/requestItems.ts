import type { IDataObject } from 'n8n-workflow';
import * as tables from '../resources';
import { waitForCompletion } from '../shared/input/controls';
import type { Settings } from '../shared/input/field';
import { heldIn } from '../shared/input/id';
import { naming, refuse, shown } from '../shared/input/refusal';
import { isRecord, mapValues, omit, valueAt } from '../shared/lib';
import { fillPath, type Resource, type Route, whereToVerify } from '../shared/operation';
import { confirmed } from '../shared/run/confirmation';
import { judged, type Known, shownOf } from './underLimits';
import { fileItem, fileNameOf } from '../shared/receive/file';
import { type Item, secretsIn } from '../shared/receive/output';
import type { ApiRequest, ItemContext } from '../shared/n8n/context';
import { itemsFor, listItems, startOf } from '../shared/run/outputItems';
import { sentenceOf } from '../shared/run/inWords';
import { previewOf } from '../shared/run/preview';
import { accountOf, download, read } from '../shared/client/request';
import { shownAt } from '../shared/client/allowed';
import { type ItemsOf, type ItemWork, watched } from '../shared/run/itemRequest';
import { taskEnd } from '../shared/run/wait';
import { type AnyRequest, anyRequestOf } from './requestFields';
import { anyOperationOf, unwrapped } from './anyOperation';
import { anyPage, anyRecord } from './anyAnswer';
import { request } from './resources/request';

const known: Resource[] = Object.values(tables);

/** The output of an item that sends the method and path of its parameters. */
export const anyRequestItems: ItemsOf = async (work) => {
	const { context, run, options, progress } = work;
	const { operation, method: by, apiOperation } = context.getNode().parameters;
	const chosen =
		request.operations.find(({ labels }) => labels.value === operation) ?? request.operations[0]!;
	const isAny = chosen.labels.value === 'anyOperation';
	// An expression and an ID may be any method until they are read.
	progress.isChange = isAny
		? !/^GET /.test(String(heldIn(apiOperation).held))
		: (by ?? 'GET') !== 'GET';
	const asked = isAny
		? await run.readInOrder(async () => await anyOperationOf(context))
		: anyRequestOf(context);
	const { method, path, query, body, settings, title } = asked;
	progress.isChange = method !== 'GET';
	progress.secrets = [...secretsIn(query), ...secretsIn(body)];
	const same = knownAs(asked);
	const prepare = async (): Promise<ApiRequest> => {
		const { base, limits } = await accountOf(context);
		checkBase(context, base, path);
		const does = await judged(context, limits, same, asked);
		progress.verifyAt = same ? lookAt(same) : path;
		const sent: ApiRequest = {
			...(options as Partial<ApiRequest>),
			...{ method, url: path, qs: query, body, verifyAt: progress.verifyAt, does },
			...(asked.repeats && { arrayFormat: 'repeat' as const }),
		};
		sent.around = watched(work, sent);
		return sent;
	};
	const route = `${method} ${path}` as Route;
	const other = { resource: request, operation: { ...chosen, route }, ids: {} };
	const preview = async () => await previewed(context, same ?? other, await prepare());
	if (settings.preview === true) return [{ json: await preview() }];
	const make = async () => await sentItems(work, asked, prepare, isAny);
	if (!progress.isChange) return await make();
	const previewForModel = async () => {
		const { does, ...all } = await preview();
		const is = [title && shown(title), same && String(all.operation)].filter(Boolean).join(', ');
		return { ...all, operation: `${route}${is && `: ${is}`}`, does: same ? does : ['unknown'] };
	};
	return await confirmed(work, [chosen.labels.value, asked], previewForModel, make);
};

/** The output of a request, which `prepare` makes. @param isAny whether it is one of the API document */
async function sentItems(
	work: ItemWork,
	asked: AnyRequest,
	prepare: () => Promise<ApiRequest>,
	isAny: boolean,
): Promise<Item[]> {
	const { context, run, progress } = work;
	const { method, path, query, response, settings } = asked;
	if (response === 'file') {
		const file = async () => await fileOf(context, await prepare(), settings);
		return [await run.downloads.run(file)];
	}
	if (response === 'records') return await recordItems(context, asked, await prepare());
	const send = async () =>
		await read(context, await prepare(), async (answer, { only }) => {
			const record = anyRecord(answer);
			return only ? await shownOf(context, path, record) : record;
		});
	const json = progress.isChange
		? await run.inOrder(work, () => JSON.stringify(omit(asked, 'settings')), send)
		: await send();
	if (!json) return [];
	if (!isAny) return [{ json }];
	// A document may lack the pages of a list, and may be missing.
	const mayHavePages = method === 'GET' && !('page' in query || 'perPage' in query);
	const hasMore = mayHavePages && Number(valueAt(json, 'meta.pagination.totalPages')) > 1;
	return hasMore && !unwrapped(json).includes(json)
		? await recordItems(context, asked, await prepare())
		: await documentItems(work, json, settings);
}

/** The output of an operation of the API document: its records, or the end of its task. */
async function documentItems(work: ItemWork, answer: IDataObject, settings: Settings) {
	const { task } = answer;
	const isTask =
		isRecord(task) && task.id !== undefined && Object.keys(omit(answer, 'meta')).length === 1;
	const waits = isTask && settings[waitForCompletion.name] === true;
	if (waits) return [{ json: await taskEnd({ ...work, settings }, task) }];
	return itemsFor(work.context, unwrapped(answer));
}

async function recordItems(context: ItemContext, { path, max }: AnyRequest, filled: ApiRequest) {
	const most = startOf(context) + (max ?? Infinity);
	return await listItems(context, filled, {
		max,
		keep: await shownAt(context, path),
		pageIn: (answer, page) => anyPage(answer, page, most <= page.perPage ? Infinity : undefined),
	});
}

/** Documentation often shows paths with the path of the Base URL. */
function checkBase(context: ItemContext, base: URL, path: string): void {
	const below = base.pathname.replace(/\/+$/, '');
	if (below === '' || !`${path}/`.startsWith(`${below}/`)) return;
	naming(context, 'Path', () =>
		refuse(`starts with ${below}, which is already in the Base URL of the credential. Remove it`),
	);
}

/** The operation of another node that sends this request. A route with fewer IDs fits better. */
function knownAs({ method, path }: AnyRequest): Known | undefined {
	const found = known.flatMap((resource) =>
		resource.operations.flatMap((operation): Known[] => {
			if (operation.composed) return [];
			const pattern = operation.route.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
			const same = new RegExp(`^${pattern}$`, 'i').exec(`${method} ${path}`);
			if (!same) return [];
			const ids = mapValues(same.groups ?? {}, (id) => decodeURIComponent(id));
			return [{ resource, operation, ids }];
		}),
	);
	const count = ({ ids }: Known) => Object.keys(ids).length;
	return found.sort((a, b) => count(a) - count(b))[0];
}

function lookAt({ operation, ids }: Known): string {
	const { path, label } = whereToVerify(known, operation);
	return `${fillPath(path, ids)} (${label})`;
}

/** The preview of a request, refused like the request itself. */
async function previewed(
	context: ItemContext,
	{ resource, operation, ids }: Known,
	request: ApiRequest,
): Promise<IDataObject> {
	const preview = await previewOf({ context, resource, operation, ids }, request);
	if (request.does?.effects) return preview;
	const about = { ...omit(preview, 'would'), does: [UNKNOWN] };
	return { would: sentenceOf(`send ${request.method} ${request.url}`, about), ...about };
}

const UNKNOWN =
	'unknown to the nodes: only a credential with limits refuses it, unless "Also Allowed" names it';

/** The answer as a file, named after the path unless the service names it. */
async function fileOf(context: ItemContext, filled: ApiRequest, settings: Settings): Promise<Item> {
	const answer = await download(context, filled);
	const path = decodeURIComponent(filled.url);
	const name = fileNameOf({ name: 'answer' }, path);
	return await fileItem(context, answer, { path }, { settings, name });
}
