/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
async function ie(e,n,t,s={}){let i=[],a=new Map,d=(r,o)=>{let l=`o${i.length}`,f=Me(l);return a.set(
f,i.length),i.push(o?{...r,as:l}:r),f},u=new Proxy({},{get:(r,o)=>Ke(String(o),d)}),c=t(u),y=new Set(
JSON.stringify(i).match(/(?<="\$":")o\d+/g)),p=await e.json({method:"POST",path:n,body:i.map(({as:r,
...o})=>r!==void 0&&y.has(r)?{...o,as:r}:o),query:{dry_run:s.dryRun||void 0},key:s.idempotencyKey??!0,
signal:s.signal}),g=r=>p.data[a.get(r)??-1]?.data??null;if(a.has(c))return g(c);if(!(typeof c!="obje\
ct"||c===null))return Array.isArray(c)?c.map(g):Object.fromEntries(Object.entries(c).map(([r,o])=>[r,
g(o)]))}var Ke=(e,n)=>({create:t=>n({op:"create",table:e,data:t},!0),update:(t,s,i={})=>n({op:"updat\
e",table:e,id:oe(t),data:s,...K(i)},!0),upsert:(t,{uniqueFields:s,...i})=>n({op:"upsert",table:e,unique_fields:s,
data:t,...K(i)},!0),delete:(t,s={})=>n({op:"delete",table:e,id:oe(t),...K(s)},!1),createEdge:t=>n({op:"\
create_edge",table:e,data:t},!1),deleteEdge:t=>n({op:"delete_edge",table:e,id:t},!1)}),K=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}}),oe=e=>typeof e=="object"&&"$"in e?{$:e.$}:e,Me=e=>new Proxy({},{get:(n,t)=>typeof t=="string"?{
$:`${e}.${t}`}:void 0});var h=class extends Error{name="TesseraError";status;code;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:t,status:s,body:i,headers:a}){let d=De(i),u=Object.entries(d).flatMap(([c,y])=>y.map(p=>c?
`${c}: ${p}`:p));super(`${n} ${t} answered ${s}${u.length>0?`: ${u.join(" ")}`:""}`),this.status=s,this.
code=a.get("x-error-code")??"unknown",this.body=i,this.messages=d,this.requestId=a.get("x-request-id"),
this.retryAfterSeconds=B(a.get("retry-after"))}},q=class extends h{name="InvalidRequestError"},k=class extends h{name="\
UnauthenticatedError"},W=class extends h{name="ForbiddenError"},S=class extends h{name="NotFoundErro\
r"},D=class extends h{name="ConflictError"},Q=class extends h{name="StaleError"},P=class extends h{name="\
UnprocessableError"},V=class extends h{name="TooManyRequestsError"},N=class extends h{name="Unavaila\
bleError"},L=class extends Error{name="ConnectionError";constructor(n,t,s){super(`${n} ${t} got no a\
nswer: ${s instanceof Error?s.message:s}`,{cause:s})}},qe=new Map([[400,q],[401,k],[403,W],[404,S],[
409,D],[410,S],[412,Q],[413,P],[422,P],[429,V],[503,N]]);async function E(e,n,t){let{status:s,headers:i}=t,
a=await t.text().catch(()=>"");return new(qe.get(s)??h)({method:e,path:n,status:s,body:We(a),headers:i})}
function We(e){try{return JSON.parse(e)}catch{return e}}function De(e){if(typeof e!="object"||e===null)
return{};let{details:n,detail:t,error:s,message:i,hint:a,field:d,...u}=e;if(typeof n=="object"&&n!==
null)return M(n);if(typeof t=="object"&&t!==null)return M(t);let c=[s,i,t,a].filter(y=>typeof y=="st\
ring");return c.length>0?{[typeof d=="string"?d:""]:c}:M({...u,error:s,message:i,detail:t,hint:a,field:d})}
var M=e=>Object.fromEntries(Object.entries(e).filter(([,n])=>Array.isArray(n)||typeof n=="string").map(
([n,t])=>[n,[t].flat().map(String)]));function B(e,n=Date.now()){if(e===null)return;if(/^\d+$/.test(
e))return Number(e);let t=Date.parse(e);return Number.isNaN(t)?void 0:Math.max(0,(t-n)/1e3)}var ae=429,Qe=503;function de(e,n,t,{attempts:s=4,delayMaxMs:i=3e4}={}){if(e>=s)return;let a=n?.status===
ae||n?.status===Qe;if(n!==void 0&&!a||n?.status!==ae&&!t)return;let d=B(n?.headers.get("retry-after")??
null),u=Math.min(i,200*2**e)*(.5+Math.random()/2),c=d===void 0?u:d*1e3+Math.random()*100;return c<=i?
c:void 0}function A(e,n){return new Promise((t,s)=>{n?.throwIfAborted();let i=()=>{clearTimeout(a),s(
n?.reason)},a=setTimeout(()=>{n?.removeEventListener("abort",i),t()},e);n?.addEventListener("abort",
i,{once:!0})})}function le(){let e=null;return{read:()=>e,write(n){e=n}}}var H="/api/auth/jwt/token/",Ve=1e4;function fe(e,n){if(e&&"apiKey"in e)return ce(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:t}=e;return ce(async()=>`Bearer ${typeof t=="string"?t:await t()}`)}
return Ne(e,n)}function ce(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(t){let s=await e();return s===t?void 0:s},signIn:n,keep:n,signOut:n}}
function Ne(e={},n){let{username:t,password:s,store:i=le()}=e,a,d=r=>r===null?void 0:`Bearer ${r.access}`;
async function u(r,o){let l=await n(r,o);if(!l.ok)throw await E("POST",r,l);let f=ue(await l.json());
return await i.write(f),f}let c=(r,o)=>u(H,{username:r,password:o});async function y(){return t!==void 0&&
s!==void 0?c(t,s):null}async function p(r){let o=await i.read();if(o===null)return y();if(r!==void 0&&
o.access!==r&&o.expiresAt>Date.now())return o;try{return await u(`${H}refresh/`,{refresh:o.refresh})}catch(l){
if(!(l instanceof k))throw l;return await i.write(null),y()}}function g(r){return a??=Be(i,()=>p(r)).
finally(()=>{a=void 0}),a}return{async authorization(){if(a)return d(await a);let r=await i.read(),o=r!==
null&&r.expiresAt-Ve>Date.now();return d(o?r:await g(r?.access))},async renew(r){let o=await i.read();
if(r!==void 0&&d(o)!==r&&o!==null)return d(o);let l=d(await g(o?.access));return l===r?void 0:l},async signIn(r,o){
await c(r,o)},async keep(r){await i.write(ue(r))},async signOut(){let r=await i.read();await i.write(
null),r&&await n(`${H}blacklist/`,{refresh:r.refresh})}}}var ue=({access:e,refresh:n,expires_in:t})=>({
access:e,refresh:n,expiresAt:Date.now()+t*1e3});function Be(e,n){if(e.alone)return e.alone(n);let{shared:t}=e,
{navigator:s}=globalThis;return t!==void 0&&s?.locks?s.locks.request(`tessera ${t}`,n):n()}var z="0.2.0";var He="x-tessera-version";function ye(e=console.warn){let n=!1;return({headers:t})=>{let s=n?null:t.
get(He);s!==null&&(n=!0,ze(z,s)||e(`tessera-client ${z} may not fit this service, which has the vers\
ion ${s}. Install tessera-client@${s}.`))}}function ze(e,n){let[[t,s],[i,a]]=[e,n].map(Ue);return t===
i&&(t===0?s===a:s<=a)}var Ue=e=>e.split(".",2).map(Number);function pe(e){let{url:n,site:t,retry:s,timeoutMs:i}=e,a=`${n.replace(/\/+$/,"")}${t===void 0?"":`/s\
ites/${encodeURIComponent(t)}`}`,d=e.fetch??(r=>globalThis.fetch(r)),u=ye();async function c(r,o){let{
method:l="GET",path:f,query:m,body:w,signal:b}=r,Ie=`${a}${f}${U(m)}`,Ce=l==="GET"||o.has("idempoten\
cy-key");for(let te=1;;te++){b?.throwIfAborted();let O,re,C=Je(i,b);try{let j={method:l,headers:o,body:w===
void 0?null:JSON.stringify(w)};O=await d(new Request(Ie,{...j,...C.signal?{signal:C.signal}:{}}))}catch(j){
if(b?.aborted)throw j;re=j}finally{C.end()}let se=de(te,O,Ce,s);if(se===void 0){if(O)return u(O),O;throw new L(
l,f,re)}await O?.body?.cancel(),await A(se,b)}}let y=(r,o)=>c({method:"POST",path:r,body:o},new Headers(
{"content-type":"application/json"})),p=fe(e.auth,y);async function g(r){let o=Ge(r),l=w=>w&&o.set("\
authorization",w),f=await p.authorization();l(f);let m=await c(r,o);if(m.status===401){let w=await p.
renew(f);w!==void 0&&(await m.body?.cancel(),l(w),m=await c(r,o))}if(m.ok)return m;throw await E(r.method??
"GET",r.path,m)}return{session:p,send:g,async json(r){let l=await(await g(r)).text();return l===""?void 0:
JSON.parse(l)}}}function Ge({body:e,headers:n,key:t}){let s=new Headers({accept:"application/json",...n});
return e!==void 0&&s.set("content-type","application/json"),t&&s.set("idempotency-key",t===!0?Fe():t),
s}var Fe=()=>[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).
join("");function U(e={}){let n=Object.entries(e).flatMap(([t,s])=>s===void 0?[]:[[t,String(s)]]);return n.
length===0?"":`?${new URLSearchParams(n)}`}function Je(e,n){if(e===void 0)return{signal:n,end:()=>{}};
let t=new AbortController,s=setTimeout(()=>t.abort(new Error(`No answer within ${e} ms.`)),e);return{
signal:n?AbortSignal.any([n,t.signal]):t.signal,end:()=>clearTimeout(s)}}function me(e,{event:n,data:t},s){if(n==="list"){let{list:o,...l}=t,f=l.data,m=l.total??null;return{
data:Array.isArray(f)?f:[f],total:m,answer:l}}if(n!=="change"||!e)return e;let{entered:i,left:a,changed:d,
order:u,total:c}=t,y=o=>G(s.length===1?o[s[0]]:s.map(l=>o[l])),p=new Set(a.map(G)),g=new Map(d.map(o=>[
y(o),o])),r=e.data.flatMap(o=>{let l=y(o);return p.has(l)?[]:[g.get(l)??o]});for(let{at:o,record:l}of i)
r.splice(o,0,l);if(u){let o=new Map(r.map(l=>[y(l),l]));r=u.flatMap(l=>{let f=o.get(G(l));return f?[
f]:[]})}return{...e,data:r,total:c===void 0?e.total:c}}var G=e=>JSON.stringify(e);async function*ge(e){let n=e.body?.pipeThrough(new TextDecoderStream).getReader(),t="";for(;n;){let{
value:s,done:i}=await n.read();if(i)return;t+=s;let a=t.split(`

`);t=a.pop()??"";for(let d of a){let u=d.split(`
`),c=p=>u.find(g=>g.startsWith(`${p}: `))?.slice(p.length+2),y=c("event");y&&(yield{event:y,id:c("id"),
data:JSON.parse(c("data")??"{}")})}}}var Xe=new Set(["renew","busy","unavailable"]),[Ye,Ze]=[1e3,1e4],en=5,F=class{#r;#e=new Map;#s;#n=new AbortController;#t=0;#o=0;constructor(n){
this.#r=n}follow(n,t){let s=this.#e.get(n);return s||(s={name:String(++this.#o),path:n,listeners:new Set,
list:void 0,key:[],since:void 0},this.#e.set(n,s),this.#n.abort()),s.listeners.add(t),s.list&&t.next(
s.list),this.#s??=this.#a().finally(()=>{this.#s=void 0}),()=>this.#i(n,t)}#i(n,t){let s=this.#e.get(
n);!s?.listeners.delete(t)||s.listeners.size>0||(this.#e.delete(n),this.#n.abort())}async#a(){for(;this.#e.
size>0;){await A(en),this.#n=new AbortController;let{signal:n}=this.#n;try{await this.#d(n),this.#t=
0}catch(t){if(n.aborted)continue;t instanceof h&&t.status<500&&t.status!==429&&this.#u(t),this.#t++}
!n.aborted&&this.#e.size>0&&await A(Math.random()*(this.#t>1?Ze:Ye),n).catch(()=>{})}}async#d(n){let t=Object.
fromEntries([...this.#e.values()].map(({name:a,path:d,since:u})=>[a,u?{path:d,since:u}:d])),i={method:"\
POST",path:"/api/live/",headers:{accept:"text/event-stream"},body:{lists:t},signal:n};for await(let a of ge(
await this.#r.send(i))){if(n.aborted)return;this.#t=0,this.#l(a)}}#l(n){let{list:t,code:s,key:i}=n.data,
a=[...this.#e.values()].find(u=>u.name===t);if(!a)return;if(n.event==="end")return void(Xe.has(String(
s))||this.#c(a,String(s)));n.id&&(a.since=n.id.slice(a.name.length+1)),n.event==="ready"&&(a.key=i);
let d=me(a.list,n,a.key);if(!(!d||d===a.list)){a.list=d;for(let u of a.listeners)u.next(d)}}#c(n,t){
this.#e.delete(n.path);let s=new J(n.path,t);for(let i of n.listeners)i.fail(s)}#u(n){for(let t of[...this.#e.
values()]){this.#e.delete(t.path);for(let s of t.listeners)s.fail(n)}}},J=class extends Error{code;constructor(n,t){
super(`${n} is not followed any more: ${t}.`),this.name="LiveEnded",this.code=t}},we=new WeakMap;function he(e){
let n=we.get(e)??new F(e);return we.set(e,n),n}var nn={list:void 0,error:void 0};function be(e,n,t,{signal:s}={}){let i=`${n}${U(t)}`,a=new Set,d=nn,
u,c=r=>{d=r;for(let o of a)o()},y=()=>{u?.(),u=void 0};s?.addEventListener("abort",()=>c({...d,error:s.
reason}),{once:!0});function p(r){return a.add(r),u??=he(e).follow(i,{next:o=>c({list:o,error:void 0}),
fail:o=>c({...d,error:o})}),()=>{a.delete(r),a.size===0&&y()}}async function*g(){let r=()=>{},o,l=p(
()=>r());try{for(;;){s?.throwIfAborted();let{list:f,error:m}=d;if(f!==void 0&&f!==o)o=f,yield f;else{
if(m)throw m;await new Promise(w=>{r=w,(d.list!==o||d.error)&&w()})}}}finally{l()}}return{subscribe:p,
state:()=>d,[Symbol.asyncIterator]:g}}function Oe(e){let n=typeof e=="object"?e.map(xe).join(","):tn(String(e));if(n===""||n==="."||n===".\
.")throw new TypeError(`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var v=e=>e.
flat().map(xe).join(","),xe=e=>{let n=String(e);return/[",]|^$/.test(n)?Te(n):n},tn=e=>e.startsWith(
'"')?Te(e):e,Te=e=>`"${e.replaceAll('"','""')}"`;var T=e=>({...$(e),...X(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:x(e.rank),_highlight:_(e.highlight)}),X=e=>({filters:e.where&&Y(
e.where),search:e.search,_language:e.language,_fuzzy:x(e.fuzzy),ordering:_(e.ordering),_distinct:_(e.
distinct),only_deleted:x(e.onlyDeleted),include_deleted:x(e.includeDeleted),as_of:ke(e.asOf)}),$=e=>({
fields:_(e.fields),populate:rn(e.populate),_annotate:e.annotate&&ee(e.annotate),include_deleted:x(e.
includeDeleted),as_of:ke(e.asOf)}),Y=e=>Object.keys(e).length===0?void 0:JSON.stringify(e);function Z(e,{
expect:n,limit:t,all:s}){let i=JSON.stringify(e,(d,u)=>{if(u===void 0)throw new TypeError(`The filte\
r "${d}" has no value: it is undefined.`);return u});return{filter:s===!0&&Object.keys(e).length===0?
void 0:i,expect:n,limit:t,all:x(s)}}var ee=e=>Object.entries(e).map(([n,t])=>`${typeof t=="string"?t:
t.expression} as ${n}`).join(",");var x=e=>e===!0?!0:void 0,_=e=>e?.join(","),ke=e=>e instanceof Date?e.toISOString():e;function rn(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(Ae(e))}var Ae=e=>Object.fromEntries(
Object.entries(e).map(([n,t])=>[n,sn(t)])),sn=({where:e,ordering:n,fields:t,populate:s,...i})=>({...i,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...t?{fields:t.join(",")}:{},...s?{populate:Array.
isArray(s)?s.join(","):Ae(s)}:{}});function ve(e,n){let t=(s,i,a,d)=>e.json({method:s,path:i,query:{dry_run:d.dryRun||void 0},body:a,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:s,to:i,types:a,page:d,pageSize:u,total:c,
signal:y}={}){let g={...{from_id:s&&v(s),to_id:i&&v(i)},types:a?.join(","),page:d,page_size:u,_total:c},
r=await e.json({path:n,query:g,signal:y});return{data:r.results,total:r.total}},async create(s,i={}){
return(await t("POST",n,s,i)).results},async replace(s,i,a={}){let d=`${n}${encodeURIComponent(s)}/`;
return(await t("PATCH",d,i,a)).data},async delete(s,i={}){return(await t("DELETE",n,{edge_ids:s},i)).
deleted}}}function Re(e,n,t){let s=(i,a,d)=>e.json({path:i===void 0?n:t(i),query:{...d,depth:a.depth,
relationship_type:a.types?.join(","),filters:a.where&&Y(a.where),fields:a.fields?.join(","),ordering:a.
ordering?.join(",")},signal:a.signal});return{async walk(i,a,d={}){let{data:u,...c}=await s(i,d,{include:a});
return{record:u,related:c}},async tree(i={}){let{from:a,include:d,...u}=i;return[(await s(a,u,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(i={}){let{from:a,include:d,...u}=i,c={format:"\
graph",...d?{include:d}:{}};return(await s(a,u,c)).data}}}async function*je(e){let n="";for await(let t of Pe(e)){let s=(n+t).split(`
`);n=s.pop()??"";for(let i of s)i.trim()!==""&&(yield JSON.parse(i))}n.trim()!==""&&(yield JSON.parse(
n))}var R=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*Se(e){let n="",t=[];for await(let s of Pe(
e)){n+=s,R.lastIndex=0;let i=0;for(let a=R.exec(n);a;a=R.exec(n)){let[,d,u,c]=a;t.push(d===void 0?u||
null:d.replaceAll('""','"')),i=R.lastIndex,c!==","&&(yield t,t=[],R.lastIndex=i)}n=n.slice(i)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*Pe({body:e}){if(!e)return;let n=e.getReader(),
t=new TextDecoder;try{for(;;){let{done:s,value:i}=await n.read();if(yield t.decode(i,{stream:!s}),s)
return}}finally{await n.cancel().catch(()=>{})}}async function I({transport:e,path:n},t){let{signal:s}=t,{data:i,total:a,page:d,page_size:u,meta:c}=await e.
json({path:n,query:T(t),signal:s}),{has_more:y,total_is:p,next:g=null,previous:r=null}=c;return{data:i,
total:a,totalIs:p,page:d,pageSize:u,hasMore:y,next:g,previous:r}}async function*ne(e,n){let{after:t=""}=n;
for(;;){let s=await I(e,{...n,after:t});if((s.data.length>0||t==="")&&(yield s),s.next===null)return;
t=s.next}}var on=500;async function*Le(e,n){let{pageSize:t=on,total:s="none"}=n,i={...n,pageSize:t,total:s};
for await(let{data:a}of ne(e,i))yield*a}function Ee(e,n){let t=`${n}data/`,s={transport:e,path:t},i=r=>`${t}${Oe(r)}/`,a=(r,o,l,f,m={})=>e.json(
{method:r,path:o,query:{...m,dry_run:f.dryRun||void 0},body:l,key:f.idempotencyKey??!0,signal:f.signal}),
d=(r,o,l,f,m)=>e.json({method:r,path:i(o),query:{...m,include_deleted:f.includeDeleted||void 0,dry_run:f.
dryRun||void 0},body:l,key:f.idempotencyKey??!0,signal:f.signal,headers:f.ifMatch===void 0?{}:{"if-m\
atch":f.ifMatch}}),u=async r=>(await r).data;async function c(r,o,l,f,m){let w=f.atomic===!1?{atomic:!1}:
{},b=await a(r,o,l,f,{...m,...w});return{data:b.data??[],ignored:b.ignored??[],failed:b.failed??[]}}
async function y(r,o={}){return u(e.json({path:i(r),query:$(o),signal:o.signal}))}let p=(r,o)=>e.send(
{path:t,query:T(o),headers:{accept:r},signal:o.signal}),g=({values:r,by:o,having:l,ordering:f,...m})=>({
...T({...m,ordering:f}),_aggregate:ee(r),_group_by:o?.join(","),_having:l?.join(",")});return{list:(r={})=>I(
s,r),live:(r={})=>be(e,t,T(r),r),pages:(r={})=>ne(s,r),each:(r={})=>Le(s,r),search:(r,o={})=>I(s,{...o,
search:r}),get:y,async getWithETag(r,o={}){let l={path:i(r),query:$(o),signal:o.signal},f=await e.send(
l),{data:m}=await f.json();return{data:m,etag:f.headers.get("etag")}},async find(r,o={}){try{return await y(
r,o)}catch(l){if(l instanceof Error&&"status"in l&&l.status===404)return;throw l}},async count(r={}){
let o={...X(r),_count:!0,_total:r.total};return(await e.json({path:t,query:o,signal:r.signal})).total},
async aggregate(r){let o=g(r),l={path:t,query:o,signal:r.signal};return(await e.json(l)).aggregates},
groups:r=>an(e,t,g(r),r.signal),async*stream(r={}){yield*je(await p("application/x-ndjson",r))},async*csv(r={}){
yield*Se(await p("text/csv",r))},create:(r,o={})=>u(a("POST",t,r,o)),createMany:(r,o={})=>c("POST",t,
r,o,{on_conflict:o.onConflict}),update:(r,o,l={})=>u(d("PATCH",r,o,l)),updateMany:(r,o={})=>c("PATCH",
t,r,o,{}),async updateWhere(r,o,l={}){let f={...Z(r,l),return:"minimal"};return(await a("PATCH",t,o,
l,f)).updated_count},replace:(r,o,l={})=>u(d("PUT",r,o,l)),async upsert(r,{uniqueFields:o,...l}){let f={
unique_fields:o.join(",")},m=await a("POST",`${t}upsert/`,r,l,f);return{data:m.data,created:m.created}},
upsertMany:(r,{uniqueFields:o,...l})=>c("POST",`${t}upsert/`,r,l,{unique_fields:o.join(",")}),async delete(r,o={}){
await d("DELETE",r,void 0,o,{hard_delete:o.hard||void 0})},async deleteMany(r,o={}){let l={ids:v(r),
hard_delete:o.hard||void 0};return(await a("DELETE",t,void 0,o,l)).deleted},async deleteWhere(r,o={}){
let l={...Z(r,o),hard_delete:o.hard||void 0};return(await a("DELETE",t,void 0,o,l)).deleted},history:(r,{
page:o,pageSize:l,ordering:f,operation:m,signal:w}={})=>e.json({path:`${i(r)}history/`,query:{page:o,
page_size:l,ordering:f,operation:m},signal:w}),restore:(r,o,l={})=>u(a("POST",`${i(r)}restore/${encodeURIComponent(
o)}/`,void 0,l)),edges:ve(e,`${n}edges/`),...Re(e,t,i)}}async function an(e,n,t,s){let i=await e.json(
{path:n,query:t,signal:s});return{data:i.data,total:i.total,hasMore:i.meta.has_more}}function _e(e,n,t,s=()=>({})){let i=`/api/apps/${encodeURIComponent(n)}/`,a=new Map,d=c=>{let y=a.get(
c)??Ee(dn(e,p=>t(n,c,p)),`${i}datatables/${encodeURIComponent(c)}/`);return a.set(c,y),y},u=new Map(
[["$batch",(c,y)=>ie(e,`${i}batch/`,c,y)],["$table",d],...Object.entries(s(i)),["then",void 0]]);return new Proxy(
{},{get:(c,y)=>typeof y!="string"||u.has(y)?u.get(String(y)):d(y)})}function dn(e,n){let t=async s=>{
let i=await e.send(s);return n(i),i};return{session:e.session,send:t,async json(s){let i=await(await t(
s)).text();return i===""?void 0:JSON.parse(i)}}}var ln="x-schema-hash";function $e(e={},n=cn){let t=new Map;return(s,i,a)=>{let d=a.headers.get(ln);
if(d===null)return;let u=`${s}/${i}`,c=t.get(u)??e[s]?.[i]??d;t.set(u,d),c!==d&&n({app:s,table:i,expected:c,
actual:d})}}var cn=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function ot(e,n,t){let{session:s,send:i,json:a}=pe({url:e,fetch:n}),d={session:s,send:y=>t(i(y)),json:y=>t(
a(y))},u=$e(),c=new Map;return c.set("then",void 0),new Proxy(Object.freeze({}),{get(y,p){if(typeof p==
"string")return c.has(p)||c.set(p,_e(d,p,u)),c.get(p)}})}export{ot as databaseOf};
