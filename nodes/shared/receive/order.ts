import type { IDataObject } from 'n8n-workflow';

/** What people look for first. */
const FIRST = [
	...['event', 'title', 'name', 'content', 'event_text', 'company_name', 'first_name', 'last_name'],
	...['schedule_name', 'type_name', 'task_type_name', 'site_title', 'path', 'url', 'site_url'],
	...['sso_login_url', 'email', 'recipient'],
];

/** What the item says about it. */
const ANSWERS = [
	...['reason', 'status', 'task_status', 'error', 'hours_since', 'hours_left', 'count'],
	...['deleted', 'success', 'code', 'message'],
];

const ANSWER = /_(status|error)$/;

const TIME = /(^timestamp|_(at|on|since|date))$/;

/** `id`, `client_id` and `tag_ids`, and what each is the id of. */
const ID = /^(?:(.+)_)?ids?$/;

/** What stands beside an id: `client_name` beside `client_id`. */
const NAME = /_(names?|titles?|urls?|emails?)$/;

/**
 * The fields of an item in the order in which a table shows them best: what people look for, the answer, times, ids
 * with the names of their records, and the rest as it comes.
 */
export function inOrder(record: IDataObject): IDataObject {
	const names = Object.keys(record);
	const ids = names.flatMap((name) => ID.exec(name)?.[1] ?? []);
	const placed = names.map((name) => ({ name, place: placeOf(name, ids) }));
	placed.sort((one, other) => one.place - other.place);
	return Object.fromEntries(placed.map(({ name }) => [name, record[name]]));
}

/** The distance between groups: more than a group can have. */
const GROUP = 1_000;

/** The place of a field. Fields with the same place stay in their order. */
function placeOf(name: string, ids: string[]): number {
	const first = FIRST.indexOf(name);
	if (first >= 0) return first;
	const answer = ANSWERS.indexOf(name);
	if (answer >= 0) return GROUP + answer;
	if (ANSWER.test(name)) return GROUP + ANSWERS.length;
	if (TIME.test(name)) return 2 * GROUP;
	if (name === 'id') return 3 * GROUP;
	const id = ids.indexOf((ID.exec(name) ?? [])[1] ?? name.replace(NAME, ''));
	return id >= 0 ? 3 * GROUP + 1 + id : 4 * GROUP;
}
