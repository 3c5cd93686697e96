import type { IDataObject } from 'n8n-workflow';
import { isRecord, recordsIn } from '../lib/isRecord';
import { nameForm } from '../lib/nameForm';
import type { Operation } from '../operation';
import { isSecretAt } from './secrets';
import { BLANK } from './withoutSecrets';

/** A field that was sent, and did not come back as it was. */
export interface Undone {
	/** Its place in the record, such as `scope.updates.cms_core`. */
	field: string;
	isMissing: boolean;
}

/**
 * What of the record that was sent is not in the one that came back: perhaps the service knows the field by another
 * name. Other ways to write the same, and what no answer shows, are no differences.
 */
export function undoneIn(
	{ route, answer }: Pick<Operation, 'route' | 'answer'>,
	body: IDataObject,
	came: IDataObject,
): Undone[] {
	if (answer.kind !== 'record' || !answer.wrapper || route.startsWith('GET ')) return [];
	const sent = body[answer.wrapper];
	if (!isRecord(sent)) return [];
	const { unshown = [], openBody } = answer;
	return differences(sent, came).filter(
		({ field, isMissing }) =>
			!(openBody && isMissing) && !unshown.some((place) => `${field}.`.startsWith(`${place}.`)),
	);
}

function differences(sent: IDataObject, came: IDataObject, place = ''): Undone[] {
	return Object.entries(sent).flatMap(([key, value]): Undone[] => {
		const field = `${place}${key}`;
		if (isSecretAt(key, value, false)) return [];
		const found = valueOf(came, key);
		if (isRecord(value) && isRecord(found)) return differences(value, found, `${field}.`);
		const isShown = found !== undefined;
		const isSame = isShown ? isAlike(value, found) : isEmpty(value) || isFile(value);
		return isSame ? [] : [{ field, isMissing: !isShown }];
	});
}

/** `site_id` comes back as `site: { id }`, too, and `site_ids` as `sites: [{ id }]`. */
function valueOf(came: IDataObject, key: string): unknown {
	if (Object.hasOwn(came, key)) return came[key];
	const [, name, many] = /^(\w+)_id(s?)$/.exec(key) ?? [];
	if (name === undefined) return undefined;
	if (many) return Array.isArray(came[`${name}s`]) ? came[`${name}s`] : undefined;
	const other = came[name];
	return isRecord(other) ? other.id : undefined;
}

const isEmpty = (value: unknown): boolean =>
	value === null ||
	value === undefined ||
	(typeof value === 'string' && value.trim() === '') ||
	(typeof value === 'object' && Object.values(value).every(isEmpty));

/** What is uploaded need not come back. */
const isFile = (value: unknown) => typeof value === 'string' && value.startsWith('data:');

function isAlike(sent: unknown, came: unknown): boolean {
	if (isEmpty(sent) || isEmpty(came)) return isEmpty(sent) && isEmpty(came);
	if (isFile(sent) || came === BLANK) return true;
	if (Array.isArray(sent)) return Array.isArray(came) && areAlike(sent, came);
	if (typeof sent === 'object' || typeof came === 'object') return false;
	return formOf(sent) === formOf(came) || isSameTime(sent, came);
}

/** Lists of texts in whatever order; of objects in theirs. */
function areAlike(sent: unknown[], came: unknown[]): boolean {
	if (sent.some(isRecord)) {
		const others = recordsIn(came);
		return (
			sent.length === others.length &&
			recordsIn(sent).every((each, index) => differences(each, others[index]!).length === 0)
		);
	}
	const forms = (list: unknown[]) =>
		[...new Set(list.map((each) => formOf(isRecord(each) ? each.id : each)))].sort();
	return forms(sent).join('\n') === forms(came).join('\n');
}

/** A text without what services are free in: case, blanks, the slash at the end of an address. */
const formOf = (value: unknown) => nameForm(value).toLowerCase().replace(/\/$/, '');

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d/i;
const TIME_OF_DAY = /^(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?z?$/i;

/** Epoch numbers below this are seconds. */
const SECONDS_BELOW = 1e11;

function isSameTime(sent: unknown, came: unknown): boolean {
	const [one, other] = [String(sent), String(came)];
	if (DAY.test(one)) return other.startsWith(one);
	const [, day, seconds = '00'] = TIME_OF_DAY.exec(one) ?? [];
	if (day !== undefined) {
		const [, otherDay, otherSeconds = '00'] = TIME_OF_DAY.exec(other) ?? [];
		return day === otherDay && seconds === otherSeconds;
	}
	return MOMENT.test(one) && secondOf(one) === secondOf(came);
}

/** A moment in whole seconds; one without a zone is in UTC, as all of the service are. */
function secondOf(value: unknown): number {
	if (typeof value === 'number') {
		return Math.floor(value < SECONDS_BELOW ? value : value / 1_000);
	}
	const text = String(value);
	const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(text);
	return Math.floor(Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`) / 1_000);
}
