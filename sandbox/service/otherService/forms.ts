/*
 * Differences in the form of an answer that a running service may have from its reference, and that change nothing of
 * what it says: `faults.harmless` applies them at random, and the tests of the nodes each to all operations.
 */

/** The content of an answer in JSON. */
type Content = Record<string, unknown>;

/** What became of each id. */
interface BulkResult extends Content {
	errors: Content[];
}

/** An answer, as far as it may differ. */
export interface Told {
	method: string;
	/** Below the base address, without the query. */
	path: string;
	status: number;
	/** The JSON; undefined for an answer without content, and for a file. */
	content?: Content;
	/** The `Content-Type` and `Content-Disposition` of a file. */
	type?: string;
	disposition?: string;
	/** The time of the service, in milliseconds. */
	now: number;
}

/** What is answered instead; what is missing stays as it is. */
export type Otherwise = Partial<Pick<Told, 'status' | 'content' | 'type' | 'disposition'>>;

/** A difference: what it makes of an answer; undefined for one that it does not apply to. */
type Difference = (told: Told) => Otherwise | undefined;

interface Entry {
	does: string;
	change: Difference;
}

/** Changes of which the request says all that comes of them. */
const SETTLED =
	/\/(update|enable|disable|pause|resume|reset|accept|reject|disconnect|cancel|extend-expiry|resend-verification)$/;

/** An invitation that is updated gets a new id. */
const isSettled = ({ method, path }: Told) =>
	method === 'POST' && SETTLED.test(path) && !path.startsWith('/team-members/');

/** A task is not shown for so long after its start. */
const LATE_MS = 10_000;

const isObject = (value: unknown): value is Content =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The only part of an answer beside its meta, by its name. */
function partOf({ content = {} }: Told): [name: string, part: unknown] | undefined {
	const parts = Object.entries(content).filter(([name]) => name !== 'meta');
	return parts.length === 1 ? parts[0] : undefined;
}

const collectionOf = (path: string) => path.split('/').at(-2)!.replaceAll('-', '_');

const lastOf = (path: string) => decodeURIComponent(path.split('/').at(-1)!);

/** Instead of the empty 204 of a delete. */
const ofDelete =
	(status: number, content: (path: string) => Content | undefined): Difference =>
	({ method, status: before, path }) =>
		method === 'DELETE' && before === 204 ? { status, content: content(path) } : undefined;

/** With another result of a bulk operation. */
const ofBulk =
	(change: (result: BulkResult, ids: string) => Content | undefined): Difference =>
	(told) => {
		const [name, result] = partOf(told) ?? [];
		if (told.method !== 'POST' || !isObject(result) || !Array.isArray(result.errors))
			return undefined;
		const ids = Object.keys(result).find((key) => key !== 'errors' && Array.isArray(result[key]));
		const changed = ids === undefined ? undefined : change(result as BulkResult, ids);
		return changed && { content: { ...told.content, [name!]: changed } };
	};

const without = (record: Content, ...names: string[]): Content =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Where nothing failed: with another word for no errors. */
const noErrors = (errors: object) =>
	ofBulk((result) =>
		result.errors.length === 0 ? { ...without(result, 'errors'), ...errors } : undefined,
	);

interface Page {
	name: string;
	rows: Content[];
	/** page, perPage, totalPages, totalItems. */
	numbers: Record<string, number>;
}

/** With other numbers of a list, or other rows. */
const ofPage =
	(change: (page: Page, content: Content) => Content | undefined): Difference =>
	(told) => {
		const [name, rows] = partOf(told) ?? [];
		const numbers = (told.content?.meta as Content | undefined)?.pagination;
		if (told.method !== 'GET' || !Array.isArray(rows) || !isObject(numbers)) return undefined;
		const content = change(
			{ name: name!, rows: rows as Content[], numbers: numbers as Page['numbers'] },
			told.content!,
		);
		return content && { content };
	};

/** With these numbers in the place of those of the list. */
const ofNumbers = (change: (numbers: Page['numbers'], page: Page) => Content | undefined) =>
	ofPage((page, content) => {
		const pagination = change(page.numbers, page);
		return pagination && { ...content, meta: { ...(content.meta as Content), pagination } };
	});

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const mapped = (
	numbers: Page['numbers'],
	change: (name: string, value: number) => [string, unknown],
) => Object.fromEntries(Object.entries(numbers).map(([name, value]) => change(name, value)));

/** Whether as many records came as were asked for. */
const isFull = ({ rows, numbers }: Page) => rows.length >= numbers.perPage!;

/** With another answer of an update or a switch. */
const ofSettled =
	(change: (record: Content) => Otherwise): Difference =>
	(told) => {
		const [, record] = partOf(told) ?? [];
		const isBulk = isObject(record) && Array.isArray(record.errors);
		return isSettled(told) && isObject(record) && !isBulk ? change(record) : undefined;
	};

/** Every difference, by its name; what changes the names of things stands before what looks for them. */
export const differences = {
	delete_empty: {
		does: 'A delete returns an empty 200',
		change: ofDelete(200, () => undefined),
	},
	delete_accepted: {
		does: 'A delete returns an empty 202',
		change: ofDelete(202, () => undefined),
	},
	delete_object: {
		does: 'A delete returns {}',
		change: ofDelete(200, () => ({})),
	},
	delete_record: {
		does: 'A delete returns the record',
		change: ofDelete(200, (path) => ({
			[collectionOf(path).replace(/s$/, '')]: { id: lastOf(path), status: 'deleted' },
		})),
	},
	delete_id: {
		does: 'A delete returns only the ID',
		change: ofDelete(200, (path) => ({ id: lastOf(path) })),
	},
	delete_message: {
		does: 'A delete returns a message',
		change: ofDelete(200, () => ({ message: 'The record was deleted' })),
	},
	delete_task: {
		does: 'A delete returns 202 and a task',
		change: ofDelete(202, () => ({ task: { id: 'd0e1e7e000', status: 'queued' } })),
	},
	bulk_errors_missing: {
		does: 'A bulk result has no errors if nothing failed',
		change: noErrors({}),
	},
	bulk_errors_null: {
		does: 'The errors of a bulk result are null if nothing failed',
		change: noErrors({ errors: null }),
	},
	bulk_errors_object: {
		does: 'The errors of a bulk result are {} if nothing failed',
		change: noErrors({ errors: {} }),
	},
	bulk_errors_by_id: {
		does: 'The errors of a bulk result are an object by ID',
		change: ofBulk(({ errors, ...result }) => {
			const isKnown = errors.length > 0 && errors.every(({ id }) => id !== undefined);
			const byId = errors.map(({ id, ...error }): [string, Content] => [String(id), error]);
			return isKnown ? { ...result, errors: Object.fromEntries(byId) } : undefined;
		}),
	},
	bulk_all_failed: {
		does: 'A bulk result has no list of successes if all failed',
		change: ofBulk((result, ids) =>
			(result[ids] as unknown[]).length === 0 && result.errors.length > 0
				? without(result, ids)
				: undefined,
		),
	},
	numbers_in_meta: {
		does: 'The numbers of a list are directly in meta',
		change: ofPage(({ numbers }, content) => ({ ...content, meta: numbers })),
	},
	numbers_text: {
		does: 'The numbers of a list are text',
		change: ofNumbers((numbers) => mapped(numbers, (name, value) => [name, String(value)])),
	},
	numbers_snake: {
		does: 'The numbers of a list are in snake case: total_pages',
		change: ofNumbers((numbers) => mapped(numbers, (name, value) => [snake(name), value])),
	},
	no_total_pages: {
		does: 'A list has no number of pages',
		change: ofNumbers((numbers) => without(numbers, 'totalPages')),
	},
	no_totals: {
		does: 'A list has neither a number of pages nor of records',
		change: ofNumbers((numbers) => without(numbers, 'totalPages', 'totalItems')),
	},
	no_meta: {
		does: 'A list has no meta if it has fewer records than requested',
		change: ofPage((page, content) => (isFull(page) ? undefined : without(content, 'meta'))),
	},
	null_list: {
		does: 'An empty list is null',
		change: ofPage(({ name, rows }, content) =>
			rows.length === 0 ? { ...content, [name]: null } : undefined,
		),
	},
	other_per_page: {
		does: 'A list has a different perPage than requested',
		change: ofNumbers((numbers) => ({ ...numbers, perPage: numbers.perPage === 100 ? 25 : 100 })),
	},
	one_more: {
		does: 'A page contains a record twice',
		change: ofPage(({ name, rows }, content) =>
			rows.at(-1)?.id === undefined ? undefined : { ...content, [name]: [...rows, rows.at(-1)] },
		),
	},
	one_less: {
		does: 'The number of records of a list is one too high',
		change: ofNumbers(({ totalItems, perPage, ...numbers }) =>
			totalItems === 0
				? undefined
				: {
						...numbers,
						perPage,
						totalItems: totalItems! + 1,
						totalPages: Math.ceil((totalItems! + 1) / perPage!),
					},
		),
	},
	empty_page: {
		does: 'The number of pages of a list is one too high',
		change: ofNumbers((numbers) => ({ ...numbers, totalPages: numbers.totalPages! + 1 })),
	},
	change_empty: {
		does: 'An update or a switch returns an empty 204',
		change: ofSettled(() => ({ status: 204, content: undefined })),
	},
	change_unwrapped: {
		does: 'An update or a switch returns the record without its wrapper',
		change: ofSettled((record) => ({ content: record })),
	},
	read_wrapper: {
		does: 'What is read is in "data"',
		change: (told) => {
			const [, part] = partOf(told) ?? [];
			if (told.method !== 'GET' || typeof part !== 'object' || part === null) return undefined;
			const { meta } = told.content!;
			return { content: { data: part, ...(meta !== undefined && { meta }) } };
		},
	},
	read_unwrapped: {
		does: 'A record that is read has no wrapper',
		change: (told) => {
			const [, part] = partOf(told) ?? [];
			return told.method === 'GET' && isObject(part) ? { content: part } : undefined;
		},
	},
	task_without_status: {
		does: 'A started task has no status',
		change: (told) => {
			const [name, task] = partOf(told) ?? [];
			if (told.method !== 'POST' || name !== 'task' || !isObject(task)) return undefined;
			// A task in full is the answer to another request.
			return 'details' in task ? undefined : { content: { task: without(task, 'status') } };
		},
	},
	task_late: {
		does: 'A task is unknown for its first ten seconds',
		change: (told) => {
			const [name, task] = partOf(told) ?? [];
			if (told.method !== 'GET' || name !== 'task' || !isObject(task)) return undefined;
			if (told.now - Date.parse(String(task.created_at)) > LATE_MS) return undefined;
			return { status: 404, content: { error: { details: 'The task was not found' } } };
		},
	},
	pdf_type: {
		does: 'A PDF has the media type of any file',
		change: ({ type = '' }) =>
			type.startsWith('application/pdf') ? { type: 'binary/octet-stream' } : undefined,
	},
	file_inline: {
		does: 'A file has a name, but is not an attachment',
		change: ({ disposition = '' }) =>
			/^attachment;/.test(disposition)
				? { disposition: disposition.replace('attachment', 'inline') }
				: undefined,
	},
} satisfies Record<string, Entry>;

export type HarmlessName = keyof typeof differences;
export const harmlessNames = Object.keys(differences) as HarmlessName[];

/** What an answer becomes by a difference; undefined where that does not apply. */
export const differing = (name: HarmlessName, told: Told): Otherwise | undefined =>
	(differences[name] as Entry).change(told);

/** What an answer becomes by several differences at once; undefined where none applies. */
export function differingInAll(names: readonly HarmlessName[], told: Told): Otherwise | undefined {
	let changed: Otherwise | undefined;
	for (const name of harmlessNames.filter((each) => names.includes(each)).reverse()) {
		// An error is left as it is.
		if ((changed?.status ?? told.status) >= 300) break;
		const other = differing(name, { ...told, ...changed });
		if (other) changed = { ...changed, ...other };
	}
	return changed;
}
