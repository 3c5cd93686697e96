import type { IDataObject } from 'n8n-workflow';

/** What people look for first. */
const FIRST = (
	'event title name content event_text company_name first_name last_name schedule_name ' +
	'type_name task_type_name site_title path url site_url sso_login_url email recipient'
).split(' ');

/** What it says of that, before anything else. */
const ANSWERS = (
	'reason status task_status error hours_since hours_left count ' + 'deleted success code message'
).split(' ');

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
	const placed = names.map((name, index) => ({ name, place: [...placeOf(name, ids), index] }));
	placed.sort((a, b) => a.place.map((at, level) => at - b.place[level]!).find(Boolean) ?? 0);
	return Object.fromEntries(placed.map(({ name }) => [name, record[name]]));
}

/** Its group, and its place in the group. */
function placeOf(name: string, ids: string[]): [number, number] {
	const first = FIRST.indexOf(name);
	if (first >= 0) return [0, first];
	const answer = ANSWERS.indexOf(name);
	if (answer >= 0) return [1, answer];
	if (ANSWER.test(name)) return [1, ANSWERS.length];
	if (TIME.test(name)) return [2, 0];
	const id = ids.indexOf((ID.exec(name) ?? [])[1] ?? name.replace(NAME, ''));
	return name === 'id' || id >= 0 ? [3, id] : [4, 0];
}
