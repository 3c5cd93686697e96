import type { IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { confirmationFields, longestResult } from '../input/controls';
import type { Field } from '../input/field';
import { locators } from '../input/locators';
import { omit } from '../lib';
import type { Operation, Resource } from '../operation';
import { describedWithCosts, idsOf, needsConfirmation, onlyReads, partsOf } from '../operation';
import { described, routingOf } from './fields';
import { ofOperation, toolDescription } from './texts';
import { byName, choice } from '../input/kinds';

/** A new node starts with the first. */
export type Resources = [Resource, ...Resource[]];

/** All properties of a node: Resource, Operation, and each operation's fields, in this order. */
export function properties(resources: Resources): INodeProperties[] {
	return [
		choice('resource', 'Resource', {
			noDataExpression: true,
			options: resources
				.map(({ name, value, description }) => ({ name, value, description }))
				.sort(byName),
			default: resources[0].value,
			routing: { send: { paginate: true } },
		}),
		...resources.map(operationSelector),
		toolDescription(resources),
		...resources.flatMap(propertiesOf),
	];
}

function operationSelector({ value, operations }: Resource): INodeProperties {
	const options = operations.map(optionOf).sort(byName);
	const usual = operations.find(({ labels }) => labels.value === 'getAll') ?? operations[0]!;
	return choice('operation', 'Operation', {
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options,
		default: usual.labels.value,
	});
}

function optionOf(one: Operation): INodePropertyOptions {
	const { name, value, action } = one.labels;
	const { method: verb, template } = partsOf(one.route);
	// The request to any route takes both from parameters.
	const isAny = one.route.startsWith('ANY ');
	const method = (isAny ? '={{ $parameter["method"] }}' : verb) as IHttpRequestMethods;
	const url = isAny ? '={{ $parameter["path"] }}' : template;
	const routing = { request: { method, url } };
	return { name, value, action, description: describedWithCosts(one), routing };
}

const forTools = (one: Operation): Field[] => {
	const { effects, adds = [] } = one;
	const all = [...effects, ...adds.map(({ effect }) => effect)];
	return [
		...(onlyReads(one) ? [longestResult] : []),
		...(needsConfirmation(one, all) ? confirmationFields() : []),
	];
};

/** A field, and the operations of a resource that have it with the place of the value. */
interface Shared {
	field: Field;
	uses: Array<{ operation: string; place?: string }>;
}

/** The fields of all operations, in their order. Equal ones are merged: n8n evaluates every property for every item. */
function shared({ operations }: Resource): Shared[] {
	const all: Array<Shared & { text: string }> = [];
	for (const one of operations) {
		let next = 0;
		const ids = idsOf(one.route).map((name) => locators[name]);
		for (const field of [...forTools(one), ...ids, ...one.fields]) {
			const text = JSON.stringify(described(omit(field, 'target')));
			const same = all.findIndex((each, index) => index >= next && each.text === text);
			if (same < 0) all.splice(next, 0, { field, uses: [], text });
			else next = same;
			const place = routingOf(field.target).routing?.send?.property;
			all[next]!.uses.push({ operation: one.labels.value, place });
			next += 1;
		}
	}
	return all;
}

const propertiesOf = (resource: Resource): INodeProperties[] =>
	shared(resource).map((each) => {
		const { displayOptions } = each.field;
		const operation = each.uses.map((use) => use.operation);
		return {
			...described(each.field),
			...routingBy(resource, each),
			displayOptions: {
				...displayOptions,
				show: { resource: [resource.value], operation, ...displayOptions?.show },
			},
		};
	});

/** If the place depends on the operation, an expression names it. */
function routingBy({ value }: Resource, { field, uses }: Shared): Pick<INodeProperties, 'routing'> {
	const send = routingOf(field.target).routing?.send;
	if (!send || uses.every(({ place }) => place === send.property)) return {};
	const places = uses.map(({ operation, place = '' }) => [`${value} ${operation}`, place]);
	return { routing: { send: { ...send, property: `={{ ${ofOperation(places)} }}` } } };
}
