import '../styles/base.css';
import { mount } from 'svelte';
import Check from './Check.svelte';

const target = document.getElementById('app');
if (target) mount(Check, { target });
