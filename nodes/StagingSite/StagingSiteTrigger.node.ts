import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { number, outputFields } from '../shared/describe';
import { documentation, eventsField, eventsSubtitle, pollOf, triggerOf } from '../shared/node';
import { simplified } from '../shared/receive/output';
import { listed } from './resources/stagingSite';
import {
	liveSite,
	stagingFacts,
	stagingFeed,
	stagingSiteEvents,
} from './resources/stagingSiteEvents';

const events = eventsField(
	stagingSiteEvents,
	['expiresSoon'],
	'What starts the workflow, once for each staging site and expiry date',
);

const hoursBefore = number('hoursBefore', 'Hours Before Expiry', {
	typeOptions: { minValue: 1, maxValue: 8760 },
	default: 48,
	required: true,
	displayOptions: { show: { events: ['expiresSoon'] } },
	description:
		'How many hours before the expiry the workflow starts. Staging sites that already expire this soon when you publish the workflow are not reported.',
});

const parameters: Field[] = [events, hoursBefore, ...outputFields(listed.fields)];

export class StagingSiteTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Staging Site Trigger',
		name: 'stagingSiteTrigger',
		icon: {
			light: 'file:../../icons/stagingSite.svg',
			dark: 'file:../../icons/stagingSite.dark.svg',
		},
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-staging-site-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Create, extend, sign in to and delete staging sites, or start a workflow when one is created or expires soon',
		defaults: { name: 'Staging Site Trigger' },
		...triggerOf(parameters),
	};

	poll = pollOf(parameters, (set) => ({
		feeds: { staging: stagingFeed(Number(set.hoursBefore ?? hoursBefore.default)) },
		details: liveSite,
		shape: simplified(listed.simplified, set, stagingFacts),
		nothingToShow: {
			message: 'No staging site to show yet',
			description:
				'No staging site matches the chosen events right now. Choose more events or more hours, or try again when there is such a staging site.',
		},
	}));
}
