import type { ILoadOptionsFunctions, ResourceMapperField } from 'n8n-workflow';
import { isBlank } from '../../shared/input/field';
import { heldIn } from '../../shared/input/id';
import { byName } from '../../shared/input/kinds';
import { naming } from '../../shared/input/refusal';
import { isTool } from '../../shared/n8n/context';
import { listIn } from '../../shared/lib';
import { documentOf } from '../../shared/document/read';
import type { ApiDocument, Listed } from '../../shared/document/openapi';
import { type ApiOperation, type Input, operationIn } from './operation';
import { formOf, isPlainList, kindsOf, skeletonOf } from './schema';
import { nameOf } from './values';

/** The list of operations in the editor, and the fields of one. */

/** Rows that the editor gets at once; people search in longer lists. */
const MAX_ROWS = 200;

const rowOf = ({ route, title, tag, id }: Listed) => ({
	name: `${tag ? `${tag}: ` : ''}${title || id || route}${title ? ` (${route})` : ''}`,
	value: route,
});

/** Operations whose path, title, name or group contains all typed words, first those whose title contains the text. */
export async function searchOperations(this: ILoadOptionsFunctions, typed = '') {
	const { operations } = await documentOf(this);
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	const fits = (row: Listed) => {
		const text = Object.values(row).join(' ').toLowerCase();
		return words.every((word) => text.includes(word));
	};
	const isTitled = ({ title }: Listed) => title.toLowerCase().includes(typed.toLowerCase().trim());
	const found = operations.filter(fits);
	const rowsOf = (rows: Listed[]) => rows.map(rowOf).sort(byName);
	const first = rowsOf(found.filter(isTitled));
	const others = rowsOf(found.filter((row) => !isTitled(row)));
	return { results: [...first, ...others].slice(0, MAX_ROWS) };
}

/** The fields of the chosen operation. n8n calls it when the panel opens and when the choice changes, never in a run. */
export async function fieldsOfOperation(this: ILoadOptionsFunctions) {
	const { held } = heldIn(this.getCurrentNodeParameter('apiOperation'), {});
	if (isBlank(held)) return { fields: [] };
	const document = await documentOf(this);
	const operation = naming(this, 'API Operation', () => operationIn(document, String(held)));
	if (!operation) {
		const emptyFieldsNotice = `The API document has no operation ${String(held)}. Choose one from the list.`;
		return { fields: [], emptyFieldsNotice };
	}
	const fields = fieldsIn(document, operation, isTool(this));
	const emptyFieldsNotice = 'This operation has no parameters.';
	return { fields, ...(fields.length === 0 && { emptyFieldsNotice }) };
}

/** n8n saves it in the workflow, with the description, which only a tool shows: to the model. */
type Shown = ResourceMapperField & { description: string };

/** Maximum characters of a description, which the model reads in each request. */
const MAX_DESCRIPTION = 150;

const firstSentence = (text: string) =>
	(/^.*?[.!?](?=\s|$)/.exec(text.replace(/\s+/g, ' '))?.[0] ?? text).slice(0, MAX_DESCRIPTION);

/** n8n shows no description of a field, so its name has the form, except for a tool: there it names the argument. */
export function fieldsIn(document: ApiDocument, { inputs }: ApiOperation, forTool = false) {
	const names = inputs.map(nameOf);
	return inputs.map((input): Shown => {
		const { key, place, schema, isRequired } = input;
		const name = nameOf(input);
		const isTwice = names.indexOf(name) !== names.lastIndexOf(name);
		const label = isTwice ? `${name} (${place})` : name;
		const description = firstSentence(input.description);
		const options = choicesOf(input);
		const type = options ? 'options' : shownAs(document, input);
		const form = options ? '' : formOf(document, schema);
		const hasStart = !forTool && form !== '' && isRequired && type !== 'string';
		const start = hasStart && JSON.stringify(skeletonOf(document, schema), null, 2);
		return {
			...{ id: key, required: isRequired, type },
			displayName: form && !forTool ? `${label}: ${form}` : label,
			description: form && forTool ? `${form}. ${description}`.trim() : description,
			...{ defaultMatch: false, canBeUsedToMatch: false, display: true },
			...(options && { options }),
			...(start && { defaultValue: start }),
			// A boolean that is shown is saved as false at once.
			removed: !isRequired,
		};
	});
}

function choicesOf({ schema }: Input) {
	const choices = listIn(schema.enum).filter((each) => each !== null);
	const isShown = (each: unknown) => ['string', 'number'].includes(typeof each);
	if (choices.length === 0 || !choices.every(isShown)) return undefined;
	return choices.map((each) => ({ name: String(each), value: each as string | number }));
}

const SHOWN = ['array', 'boolean', 'number', 'object', 'string'] as const;

/** The type of the mapper's field: JSON for objects, lists and what may be one. */
function shownAs(document: ApiDocument, { schema }: Input): ResourceMapperField['type'] {
	const all = kindsOf(document, schema).map((type) => (type === 'integer' ? 'number' : type));
	const types = [...new Set(all)];
	const [only] = types;
	if (types.length === 1 && only === 'string' && schema.format === 'date-time') return 'dateTime';
	// A text with commas; n8n's field for JSON would refuse it.
	if (types.length === 1 && isPlainList(document, schema)) return 'string';
	if (types.length === 1) return SHOWN.find((type) => type === only) ?? 'string';
	return types.includes('object') ? 'object' : types.includes('array') ? 'array' : 'string';
}
