import { DateTime } from 'luxon';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { taskTypeName } from '../describe/taskValues';
import { recordsOf } from '../receive/records';
import { listAll } from '../transport/paging';
import { request } from '../transport/request';

/** Records that one opening of a list shows; scrolling loads the next page. */
const PER_PAGE = 50;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/**
 * A list for a locator, newest first.
 * @param searchKey the filter that the typed text goes to, such as `url:contains`
 */
function listSearch(
	url: string,
	describe: (record: IDataObject) => INodeListSearchItems,
	searchKey?: string,
): Search {
	return async function (filter, paginationToken) {
		const page = Number(paginationToken ?? 1);
		const { body } = await request(this, {
			method: 'GET',
			url,
			qs: {
				page,
				perPage: PER_PAGE,
				sort: 'created_at,desc',
				...(filter && searchKey && { [`filters[${searchKey}]`]: filter }),
			},
		});
		const { meta } = body as { meta?: { pagination?: { totalPages?: number } } };
		const isLast = page >= Number(meta?.pagination?.totalPages ?? 1);
		return {
			results: recordsOf(body).map(describe),
			paginationToken: isLast ? undefined : String(page + 1),
		};
	};
}

/** `2026-03-01 12:00 UTC`; a time of another form is shown as it is. */
const minute = (time: string) => {
	const parsed = DateTime.fromISO(time, { zone: 'utc' });
	return parsed.isValid ? `${parsed.toFormat('yyyy-MM-dd HH:mm')} UTC` : time;
};

const text = (value: unknown) => String(value ?? '');

const describeSite = ({ id, title, url }: IDataObject): INodeListSearchItems => ({
	name: title ? `${text(title)} (${text(url)})` : text(url),
	value: text(id),
	url: text(url),
});

const describeTag = ({ id, name }: IDataObject): INodeListSearchItems => ({
	name: text(name),
	value: text(id),
});

const describeTask = ({ id, type, status, created_at }: IDataObject): INodeListSearchItems => ({
	name: `${taskTypeName(text(type))}, ${text(status)}, ${minute(text(created_at))}`,
	value: text(id),
});

export const searchSites = listSearch('/sites', describeSite, 'url:contains');
export const searchTags = listSearch('/tags', describeTag, 'name:contains');
export const searchTasks = listSearch('/tasks', describeTask);

/** All records of a list as options of a filter, by name. */
function loadOptions(url: string, describe: (record: IDataObject) => INodeListSearchItems) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const records = await listAll(this, { method: 'GET', url });
		return records
			.map(describe)
			.map(({ name, value }) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name));
	};
}

export const getSites = loadOptions('/sites', describeSite);
export const getTags = loadOptions('/tags', describeTag);
