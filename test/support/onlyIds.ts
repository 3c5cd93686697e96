import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Field } from '../../nodes/shared/input/field';
import { idsOf, type Operation } from '../../nodes/shared/operation/index';
import { resources } from '../../nodes/resources';
import { counts } from './composed';
import { allOperations, fileWith, readText, root } from './reference';

/** The operations that take nothing but ids, whose cases are made of the reference. */

const CASES = 'test/contract/operations';

/** Whether all that the user sets is read by the node, and not sent. */
const sendsNothing = ({ answer, fields, composed }: Operation) =>
	!composed &&
	!['list', 'file'].includes(answer.kind) &&
	fields
		.flatMap((field) => (field.type === 'collection' ? (field.options as Field[]) : [field]))
		.every(({ target }) => !target);

const tables = resources.flatMap(({ value, operations }) =>
	operations.map((table) => ({ end: `/${value}/${table.labels.value}`, ...table })),
);

const tableOf = (operation: string) => tables.find(({ end }) => operation.endsWith(end))!;

/** Their names, such as `tag/tag/get`. */
export const onlyIds = allOperations
	.map(({ operation }) => operation)
	.filter((operation) => sendsNothing(tableOf(operation)));

/** Whether the user chooses how much of each record comes out. */
export const hasOutput = (operation: string): boolean => {
	const { answer } = tableOf(operation);
	return 'output' in answer && !!answer.output;
};

/** The parameters that an operation has for the ids in its path, in their order. */
export const locatorsOf = (operation: string): string[] => idsOf(tableOf(operation).route);

/** `tag/tag/` of `tag/tag/get by-name`. */
export const resourceOf = (name: string) => name.replace(/[^/]*$/, '');

/** The cases of a resource are in one file. */
const fileOf = (name: string) => fileWith(CASES, `\t'${resourceOf(name)}`);

/** Where the case of an operation belongs. */
export const caseFile = (name: string) =>
	fileOf(name) ?? fileWith(CASES, `\t'${name.split('/')[0]!}/`) ?? `${CASES}/<family>.test.ts`;

const texts = readdirSync(path.join(root, CASES)).map((file) => readText(`${CASES}/${file}`));

/** Whether an operation has a case by hand, or one is made of the reference beside others of its resource. */
export const hasCase = (name: string) =>
	texts.some((text) => new RegExp(`^\\t'${name}[' ]`, 'm').test(text)) ||
	([...onlyIds, ...counts.map(({ operation }) => operation)].includes(name) &&
		fileOf(name) !== undefined);
