import { hasExpression } from './blank';
import type { Zoned } from './field';
import { refuse } from './refusal';

/** One expression with nothing but blanks beside the braces. */
const LONE = /^=[\s\p{Cf}]*(\{\{(?:(?!\}\}).)*\}\})[\s\p{Cf}]*$/su;

const evaluated = (code: string, context: Zoned): unknown =>
	context.evaluateExpression?.(code, context.getItemIndex?.() ?? 0);

/** What an expression gives: for blanks beside the braces n8n makes a text of a list. A text keeps those that show. */
export function exact(value: unknown, raw: unknown, context: Zoned): unknown {
	const code = typeof value === 'string' && typeof raw === 'string' && LONE.exec(raw)?.[1];
	if (!code || raw === `=${code}`) return value;
	const given = evaluated(code, context);
	return typeof given === 'string' && !/\p{Cf}/u.test(raw) ? value : given;
}

const OBJECT = '[object Object]';

/** Refuses a text into which n8n or JavaScript has put an object, or a list to be split; what is quoted may be sent. */
export function checkParts(raw: unknown, held: unknown, isList: boolean, context: Zoned): void {
	const isObject = [held].flat().some((each) => typeof each === 'string' && each.includes(OBJECT));
	if (typeof raw !== 'string' || !hasExpression(raw) || !(isObject || isList)) return;
	const isWithin = !LONE.test(raw);
	for (const [code] of isObject || isWithin ? raw.matchAll(/\{\{(?:(?!\}\}).)*\}\}/gs) : []) {
		const given = evaluated(code, context);
		if (isList && isWithin && Array.isArray(given)) {
			refuse('contains a list within text. Use one expression, such as {{ [...$json.ids, "7"] }}');
		}
		const isJoined = isWithin ? typeof given === 'object' : [given].flat().includes(OBJECT);
		const isMade = isJoined || /[+`]|\b(join|concat|String)\b/.test(code);
		if (isObject && isMade && String(given).includes(OBJECT)) {
			refuse(`contains "${OBJECT}": select a field of the object, such as {{ $json.client.id }}`);
		}
	}
}
