import { unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import { textFilters, timestampFilters } from '../../http/filters';
import { resource, route } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	arrayOf,
	date,
	notBlank,
	string,
	timestamp,
	object,
	changesOf,
	limited,
	optional,
} from '../../http/schema';
import { ofSite, siteOf } from '../sites/rules';
import type { CustomWorkRow } from './rows';

const path = '/sites/{site_id}/custom-works';
const view = ({ site_id: _site, ...work }: CustomWorkRow) => work;
const schema = object({
	id: string,
	title: string,
	description: string,
	performed_on: date,
	created_at: timestamp,
	updated_at: timestamp,
});

/** Part B 2.2 and 4.2. */
const works = resource<CustomWorkRow>({
	name: 'custom_work',
	plural: 'custom_works',
	path,
	rows: ofSite((store) => store.customWorks),
	view,
	schema,
});

const workFields = {
	title: limited(notBlank, { maxLength: 150 }),
	description: limited(string, { maxLength: 500 }),
	performed_on: date,
};

function requirePast(world: World, day: string | undefined, param: string): void {
	if (day !== undefined && day > world.timestamp().slice(0, 10)) {
		throw unprocessable('in_future', param, 'must not be in the future');
	}
}

const createWorks = route({
	operationId: 'createSiteCustomWorks',
	method: 'POST',
	path,
	body: object({
		custom_works: arrayOf(
			object({ ...workFields, description: optional(workFields.description) }),
			{ minItems: 1 },
		),
	}),
	status: 201,
	response: object({ custom_works: arrayOf(schema) }),
	handle(context) {
		const { world, body } = context;
		const site = siteOf(context);
		const items: Array<Pick<CustomWorkRow, 'title' | 'performed_on'> & { description?: string }> =
			body.custom_works;
		items.forEach((item, index) =>
			requirePast(world, item.performed_on, `custom_works.${index}.performed_on`),
		);
		const created = items.map(({ title, description = '', performed_on }) =>
			world.store.customWorks.insert({
				id: world.random.hex(24),
				site_id: site.id,
				title,
				description,
				performed_on,
				created_at: world.timestamp(),
				updated_at: world.timestamp(),
			}),
		);
		return { custom_works: created.map(view) };
	},
});

export const customWorkRoutes = [
	works.list('listSiteCustomWorks', {
		filters: {
			search: {
				type: 'string',
				operators: ['contains'],
				value: ({ title, description }) => [title, description],
			},
			...textFilters('title', 'description'),
			performed_on: {
				type: 'date',
				operators: ['eq', 'gte', 'lte'],
				value: (work) => work.performed_on,
			},
			...timestampFilters('created_at', 'updated_at'),
		},
		sort: fields('performed_on', 'created_at', 'updated_at', 'title', 'description'),
		defaultSort: 'performed_on,desc',
	}),
	createWorks,
	works.show('showSiteCustomWork'),
	works.delete('deleteSiteCustomWork', (work, { world }) =>
		world.store.customWorks.delete(work.id),
	),
	works.update('updateSiteCustomWork', changesOf(workFields), (work, changes, { world }) => {
		requirePast(world, changes.performed_on, 'custom_work.performed_on');
		Object.assign(work, changes, { updated_at: world.timestamp() });
	}),
];
